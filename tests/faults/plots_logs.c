/* plots_logs.c - logs that another user may put beside one: segments of its recording,
 * and what another tool has left of it.
 */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "faults/plots.h"
#include "report/report.h"
#include "support/check.h"
#include "support/scratch.h"
#include "support/users.h"
#include "options/options.h"

#define LAST    "run.record.00004" /* lacks a declaration */
#define SEGMENT "run.record.00003" /* has it */
#define BAG     "x.bag"            /* was cut */
#define BACKUP  "x.orig.bag"       /* has more */

static struct blob last, segment, bag, whole;

/* In a folder like /tmp; or the other user puts it in the place of what the victim
 * has there. */
static void
prepare_segment(bool exchanged)
{
	users_lay_out(exchanged ? 0777 : 01777);
	users_file(USER_VICTIM, "shared/" LAST, &last);
	if (exchanged)
		users_file(USER_VICTIM, "shared/" SEGMENT, &bag);
	users_become(USER_OTHER);
	users_file(
	    USER_OTHER, exchanged ? "theirs/x" : "shared/" SEGMENT, &segment);
}

/* The file is the victim's, and somewhere else. */
static void
prepare_lead(bool exchanged)
{
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LAST, &last);
	users_file(USER_VICTIM, "home/segment", &segment);
	users_become(USER_OTHER);
	users_link(USER_OTHER, exchanged ? "theirs/x" : "shared/" SEGMENT,
	    "../home/segment");
}

static void
prepare_own(bool open)
{
	users_lay_out(01777);
	users_file(USER_VICTIM, "shared/" LAST, &last);
	users_file(USER_VICTIM, "home/segment", &segment);
	if (open)
		users_must(
		    chmod(scratch_path("home/segment"), 0666) == 0, "chmod");
	users_link(USER_VICTIM, "shared/" SEGMENT, "../home/segment");
	users_become(USER_OTHER);
}

static void
prepare_backup(bool exchanged)
{
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" BAG, &bag);
	users_become(USER_OTHER);
	users_file(
	    USER_OTHER, exchanged ? "theirs/x" : "shared/" BACKUP, &whole);
}

static void
prepare_own_backup(bool other)
{
	(void)other;
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" BAG, &bag);
	users_file(USER_VICTIM, "shared/" BACKUP, &whole);
	users_become(USER_OTHER);
}

static void
nothing_is_taken(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	CHECK(r == NULL || r->n_siblings == 0);
}

static void
one_is_taken(enum slv_status st, const struct slv_report *r)
{
	CHECK_OK(st, NULL);
	CHECK(r != NULL && r->n_siblings == 1);
}

static void
none_is_named(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	CHECK(r == NULL || r->backup.file == NULL);
}

static void
one_is_named(enum slv_status st, const struct slv_report *r)
{
	CHECK_OK(st, NULL);
	CHECK(r != NULL && r->backup.file != NULL);
}

const struct trial log_trials[] = {
	{ "a segment of another", REPAIR, prepare_segment, false, NULL,
	    nothing_is_taken, "shared/" LAST },
	{ "a segment exchanged", REPAIR, prepare_segment, true,
	    "shared/" SEGMENT, nothing_is_taken, "shared/" LAST },
	{ "a link of another to a segment", REPAIR, prepare_lead, false, NULL,
	    nothing_is_taken, "shared/" LAST },
	{ "a link to a segment exchanged", REPAIR, prepare_lead, true,
	    "shared/" SEGMENT, nothing_is_taken, "shared/" LAST },
	{ "a segment that others can write", REPAIR, prepare_own, true, NULL,
	    nothing_is_taken, "shared/" LAST },
	{ "a segment of the victim", REPAIR, prepare_own, false, NULL,
	    one_is_taken, "shared/" LAST },
	{ "a backup of another", LOOK, prepare_backup, false, NULL,
	    none_is_named, "shared/" BAG },
	{ "a backup exchanged", LOOK, prepare_backup, true, "shared/" BACKUP,
	    none_is_named, "shared/" BAG },
	{ "a backup of the victim", LOOK, prepare_own_backup, false, NULL,
	    one_is_named, "shared/" BAG },
};

const size_t n_log_trials = sizeof(log_trials) / sizeof(*log_trials);

static void
read_log(struct blob *to, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/testdata/%s", check_top(), name);
	users_must(blob_read(to, path), path);
}

/* A bag without its end, as a tool that cuts logs leaves it. */
static void
cut_bag(void)
{
	struct slv_options opt = { .no_sidecar = true };
	char from[PATH_MAX], to[PATH_MAX];
	struct slv_report *r = NULL;
	struct blob part = { 0 };

	blob_set(&part, whole.at, 6862);
	users_lay_out(0777);
	users_file(USER_VICTIM, "home/part.bag", &part);
	snprintf(from, sizeof(from), "%s", scratch_path("home/part.bag"));
	snprintf(to, sizeof(to), "%s", scratch_path("home/cut.bag"));
	opt.output = to;
	users_must(slv_repair(from, &opt, &r) == SLV_OK, "repair");
	slv_report_free(r);
	users_must(blob_read(&bag, to), to);
	blob_free(&part);
}

void
plots_logs_open(void)
{
	users_become(USER_ROOT);
	read_log(&last, "cyber/bad-unclosed-channel.record");
	read_log(&segment, "cyber/good-map.record");
	read_log(&whole, "rosbag/good-tiny.bag");
	cut_bag();
}

void
plots_logs_close(void)
{
	struct blob *const all[] = { &last, &segment, &bag, &whole };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		blob_free(all[i]);
}
