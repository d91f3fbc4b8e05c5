/* plots.c - what another user may put in the place of what is beside a log. */
#include "faults/plots.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/findings/problem.h"
#include "faults/faults.h"
#include "report/report.h"
#include "support/check.h"
#include "support/scratch.h"
#include "support/users.h"

#define LOG    "in.bddf"
#define OUT    "out.bddf"
#define RECORD LOG ".salvor-undo"
#define REPORT LOG ".salvor.json"
#define MARK   "\"file\":\"theirs\"" /* in the report of the other user */

/* What the victim and the other user have: logs, records and reports. */
static struct blob cut, repaired, record, report, their_cut, their_record,
    their_report;

static bool opened; /* a FIFO of the other user */

/* Undo records. */

static void
prepare_record(bool open)
{
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LOG, &repaired);
	if (open)
		record.at[512] = their_record.at[512] = '-';
	users_file(USER_VICTIM, "shared/" RECORD, &record);
	users_become(USER_OTHER);
	users_file(USER_OTHER, "theirs/x", &their_record);
	record.at[512] = their_record.at[512] = 'c';
}

/* The record is in the victim's home, and so is another one, of another repair
 * with the same result. */
static void
prepare_link(bool here)
{
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LOG, &repaired);
	users_file(USER_VICTIM, "home/record", &record);
	users_file(USER_VICTIM, "home/other", &their_record);
	if (!here)
		users_link(USER_VICTIM, "shared/" RECORD, "../home/record");
	users_become(USER_OTHER);
	users_link(
	    USER_OTHER, here ? "shared/" RECORD : "theirs/x", "../home/other");
}

/* Beside a log of whoever it is, in a folder like /tmp. */
static void
prepare_planted(bool their_log)
{
	users_lay_out(01777);
	users_file(USER_VICTIM, "home/record", &their_record);
	if (!their_log)
		users_file(USER_VICTIM, "shared/" LOG, &repaired);
	users_become(USER_OTHER);
	if (their_log)
		users_file(USER_OTHER, "shared/" LOG, &repaired);
	users_link(USER_OTHER, "shared/" RECORD, "../home/record");
}

static void
prepare_dangling(bool other)
{
	(void)other;
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LOG, &repaired);
	users_become(USER_OTHER);
	users_link(USER_OTHER, "shared/" RECORD, "../home/none");
}

/* The log as well is of the other user, and the record is the victim's: from the
 * start, or where the other user puts it. */
static void
prepare_their_log(bool later)
{
	users_lay_out(0777);
	users_file(USER_VICTIM, later ? "shared/x" : "home/other", &record);
	users_become(USER_OTHER);
	users_file(USER_OTHER, "shared/" LOG, &repaired);
	users_link(
	    USER_OTHER, "shared/" RECORD, later ? "record" : "../home/other");
	if (!later)
		return;
	users_must(chmod(scratch_path("shared/" LOG), 0666) == 0, "chmod");
	users_file(USER_OTHER, "shared/record", &their_record);
	users_must(
	    rename(scratch_path("shared/x"), scratch_path("theirs/x")) == 0,
	    "rename");
}

static bool
log_is(const struct blob *b)
{
	return scratch_holds("shared/" LOG, b->at, b->n);
}

/* One of the two states that the victim had. */
static void
log_is_ours(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	(void)r;
	CHECK(log_is(&cut) || log_is(&repaired));
}

static void
is_refused(enum slv_status st, const struct slv_report *r)
{
	(void)r;
	CHECK_STATUS(st, SLV_E_REFUSED, NULL);
	CHECK(log_is(&repaired));
	CHECK(scratch_has("home/other"));
}

/* What the victim's record holds is not put into the log of the other user. */
static void
log_is_theirs(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	(void)r;
	CHECK(log_is(&their_cut) || log_is(&repaired));
}

static bool
has_note(const struct slv_report *r)
{
	for (size_t i = 0; r != NULL && i < r->n_problems; i++) {
		const struct slv_problem *p = &r->problems[i];

		if (p->info == &slv_core_problems[SLV_P_UNDO_IGNORED]
		    && strcmp(p->why, "is a symbolic link of another user")
		        == 0)
			return true;
	}
	return false;
}

/* It is reported, and stops nothing. */
static void
is_noted(enum slv_status st, const struct slv_report *r)
{
	CHECK_OK(st, NULL);
	CHECK(has_note(r));
}

/* Reports beside a log. */

static void
prepare_report(bool other)
{
	(void)other;
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LOG, &repaired);
	users_file(USER_VICTIM, "shared/" REPORT, &report);
	users_become(USER_OTHER);
	users_file(USER_OTHER, "theirs/x", &their_report);
}

static void
report_is_ours(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	CHECK(r == NULL || r->history.line == NULL
	    || strstr(r->history.line, MARK) == NULL);
}

/* FIFOs. */

static void
prepare_fifos(bool other)
{
	(void)other;
	users_lay_out(01777);
	opened = false;
	users_file(USER_VICTIM, "shared/" LOG, &cut);
	users_become(USER_OTHER);
	users_fifo(USER_OTHER, "shared/" RECORD);
	users_fifo(USER_OTHER, "shared/" REPORT);
	users_fifo(USER_OTHER, "shared/" OUT ".salvor.json");
}

/* Who writes to a FIFO learns whether anybody has it open. */
void
plots_peep(void)
{
	static const char *const names[] = { RECORD, REPORT,
		OUT ".salvor.json" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char path[64];
		int fd;

		snprintf(path, sizeof(path), "shared/%s", names[i]);
		fd = open(scratch_path(path), O_WRONLY | O_NONBLOCK);
		opened |= fd >= 0;
		if (fd >= 0)
			close(fd);
	}
}

static void
was_not_opened(enum slv_status st, const struct slv_report *r)
{
	(void)st;
	(void)r;
	CHECK(!opened);
}

static int readers[2] = { -1, -1 };

static void
prepare_output(bool other)
{
	static const char *const names[] = { "shared/fifo", "home/fifo" };

	(void)other;
	users_lay_out(0777);
	users_file(USER_VICTIM, "shared/" LOG, &cut);
	for (int i = 0; i < 2; i++) {
		users_fifo(USER_VICTIM, names[i]);
		readers[i] =
		    open(scratch_path(names[i]), O_RDONLY | O_NONBLOCK);
		users_must(readers[i] >= 0, names[i]);
	}
	users_become(USER_OTHER);
	users_link(USER_OTHER, "theirs/x", "../home/fifo");
}

static void
nothing_came_home(enum slv_status st, const struct slv_report *r)
{
	char byte;

	(void)st;
	(void)r;
	CHECK(read(readers[1], &byte, 1) <= 0);
	close(readers[0]);
	close(readers[1]);
}

const struct trial trials[] = {
	{ "undo, the record exchanged", UNDO, prepare_record, false,
	    "shared/" RECORD, log_is_ours, NULL },
	{ "undo, the open record exchanged", UNDO, prepare_record, true,
	    "shared/" RECORD, log_is_ours, NULL },
	{ "discard, the record exchanged", DISCARD, prepare_record, false,
	    "shared/" RECORD, log_is_ours, NULL },
	{ "undo, the link exchanged", UNDO, prepare_link, false,
	    "shared/" RECORD, log_is_ours, NULL },
	{ "undo, a link of another", UNDO, prepare_link, true, NULL, is_refused,
	    NULL },
	{ "discard, a link of another", DISCARD, prepare_link, true, NULL,
	    is_refused, NULL },
	{ "undo, a log and a link of another", UNDO, prepare_their_log, false,
	    NULL, is_refused, NULL },
	{ "discard, a log and a link of another", DISCARD, prepare_their_log,
	    false, NULL, is_refused, NULL },
	{ "undo, the record of a log and a link of another exchanged", UNDO,
	    prepare_their_log, true, "shared/record", log_is_theirs, NULL },
	{ "verify, a log and a link of another", LOOK, prepare_their_log, false,
	    NULL, is_noted, NULL },
	{ "verify, a dangling link of another", LOOK, prepare_dangling, false,
	    NULL, is_noted, NULL },
	{ "verify, a planted link", LOOK, prepare_planted, false, NULL,
	    is_noted, NULL },
	{ "verify, a planted log and link", LOOK, prepare_planted, true, NULL,
	    is_noted, NULL },
	{ "verify, the report exchanged", LOOK, prepare_report, false,
	    "shared/" REPORT, report_is_ours, NULL },
	{ "repair, the report exchanged", REPAIR, prepare_report, false,
	    "shared/" REPORT, report_is_ours, NULL },
	{ "undo, FIFOs beside", UNDO, prepare_fifos, false, PEEP,
	    was_not_opened, NULL },
	{ "in place, FIFOs beside", IN_PLACE, prepare_fifos, false, PEEP,
	    was_not_opened, NULL },
	{ "verify, FIFOs beside", LOOK, prepare_fifos, false, PEEP,
	    was_not_opened, NULL },
	{ "repair, FIFOs beside", REPAIR, prepare_fifos, false, PEEP,
	    was_not_opened, NULL },
	{ "repair to a FIFO that is exchanged", TO_FIFO, prepare_output, false,
	    "shared/fifo", nothing_came_home, NULL },
};

const size_t n_trials = sizeof(trials) / sizeof(*trials);

static enum slv_status
run(const char *log, enum act act, struct slv_report **out)
{
	struct slv_options opt = { 0 };
	char path[PATH_MAX], to[PATH_MAX];

	snprintf(path, sizeof(path), "%s", scratch_path(log));
	snprintf(to, sizeof(to), "%s",
	    scratch_path(act == TO_FIFO ? "shared/fifo" : "shared/" OUT));
	opt.temp_dir = scratch_path("home");
	switch (act) {
	case REPAIR:
	case TO_FIFO: opt.output = to; return slv_repair(path, &opt, out);
	case IN_PLACE: opt.in_place = true; return slv_repair(path, &opt, out);
	case UNDO: return slv_undo(path, &opt, out);
	case DISCARD: opt.discard_undo = true; return slv_undo(path, &opt, out);
	case LOOK: return slv_verify(path, &opt, out);
	}
	return SLV_E_BUG;
}

enum slv_status
plots_run(const struct trial *t, struct slv_report **out)
{
	return run(t->log != NULL ? t->log : "shared/" LOG, t->act, out);
}

/* A log repaired in place: what comes of it. */
static void
repair_one(const struct blob *from, struct blob *to, struct blob *undo)
{
	struct slv_report *r = NULL;

	users_file(USER_VICTIM, "home/" LOG, from);
	users_must(run("home/" LOG, IN_PLACE, &r) == SLV_OK, "repair");
	slv_report_free(r);
	users_must(blob_read(to, scratch_path("home/" LOG))
	        && blob_read(undo, scratch_path("home/" RECORD))
	        && blob_read(&report, scratch_path("home/" REPORT)),
	    "repaired");
	scratch_remove("home/" LOG);
	scratch_remove("home/" RECORD);
	scratch_remove("home/" REPORT);
}

/* The same report about another file. */
static void
mark_report(void)
{
	static const char key[] = "\"file\":\"";
	const char *at, *end;

	blob_byte(&report, '\0');
	at = strstr((const char *)report.at, key);
	users_must(at != NULL, "report");
	end = strchr(at + strlen(key), '"') + 1;
	report.n--;
	blob_set(
	    &their_report, report.at, (size_t)(at - (const char *)report.at));
	blob_add(&their_report, MARK, strlen(MARK));
	blob_add(&their_report, end,
	    report.n - (size_t)(end - (const char *)report.at));
}

/* Two cut logs that are the same when they are repaired. */
void
plots_open(void)
{
	const struct blob *in = job_input(&(struct job){ .input = CUT });
	struct blob same = { 0 };

	users_lay_out(0777);
	blob_set(&cut, in->at, in->n);
	blob_set(&their_cut, in->at, in->n - 1);
	repair_one(&their_cut, &same, &their_record);
	repair_one(&cut, &repaired, &record);
	users_must(same.n == repaired.n
	        && memcmp(same.at, repaired.at, same.n) == 0
	        && record.at[512] == 'c',
	    "one result");
	blob_free(&same);
	mark_report();
}

void
plots_close(void)
{
	struct blob *const all[] = { &cut, &repaired, &record, &report,
		&their_cut, &their_record, &their_report };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		blob_free(all[i]);
}
