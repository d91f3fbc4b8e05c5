/* races.c - another user exchanges files, links and folders between two calls.
 *
 * The log is in a folder that others may write to.  Another folder, "safe", has
 * files of the same names, which nobody may touch.  Before the k-th call, for
 * every k, a name in the first folder, or the folder itself, becomes a link to
 * the other one, or another name of a file there.  Whatever becomes of the job,
 * "safe" stays as it is, bit for bit.
 */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/faults.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "support/scratch.h"
#include "options/options.h"

#define PATH 700 /* bytes of a path */
#define NAME 128 /* of one in the scratch folder */
#define LOG  "in.bddf"
#define OUT  "out.bddf"

/* Between two of these calls it does not matter when a name is exchanged. */
#define BY_NAME                                                                \
	(FAKE_BIT(FAKE_OPEN) | FAKE_BIT(FAKE_STAT) | FAKE_BIT(FAKE_LOOK)       \
	    | FAKE_BIT(FAKE_READLINK) | FAKE_BIT(FAKE_REALPATH)                \
	    | FAKE_BIT(FAKE_STATVFS) | FAKE_BIT(FAKE_RENAME)                   \
	    | FAKE_BIT(FAKE_RENAME_NEW) | FAKE_BIT(FAKE_LINK)                  \
	    | FAKE_BIT(FAKE_SYMLINK) | FAKE_BIT(FAKE_UNLINK)                   \
	    | FAKE_BIT(FAKE_MKDIR) | FAKE_BIT(FAKE_RMDIR))

enum act { REPAIR, IN_PLACE, UNDO, DISCARD, LOOK };

static const struct trial {
	const char *name;
	enum act act;
	bool open;  /* the record of an earlier repair is open */
	bool apart; /* the record is elsewhere */
	bool mapped;
	bool told; /* a report about another log has the name of the report */
	struct slv_options opt;
} trials[] = {
	{ "undo", UNDO, false, false, false, false, { 0 } },
	{ "undo of an open record", UNDO, true, false, false, false, { 0 } },
	{ "undo by force", UNDO, false, false, false, false,
	    { .force = true } },
	{ "undo, record elsewhere", UNDO, false, true, false, false, { 0 } },
	{ "discard", DISCARD, false, false, false, false, { 0 } },
	{ "discard, record elsewhere", DISCARD, false, true, false, false,
	    { 0 } },
	{ "in place", IN_PLACE, false, false, false, false, { 0 } },
	{ "in place, rereading", IN_PLACE, false, false, false, false,
	    { .verify_written = true } },
	{ "in place, record elsewhere", IN_PLACE, false, true, false, false,
	    { 0 } },
	{ "in place after a crash", IN_PLACE, true, false, false, false,
	    { 0 } },
	{ "repair", REPAIR, false, false, false, false, { 0 } },
	{ "repair, rereading", REPAIR, false, false, false, false,
	    { .verify_written = true } },
	{ "repair, replacing", REPAIR, false, false, false, false,
	    { .force = true } },
	{ "repair, mapped", REPAIR, false, false, true, false, { 0 } },
	{ "repair, adding to a report", REPAIR, false, false, false, true,
	    { 0 } },
	{ "verify", LOOK, true, false, false, false, { 0 } },
};

/* What others do. */
enum kind {
	LINK,   /* the name becomes a link to its like in "safe" */
	HARD,   /* the same as a second name of that file */
	FOLDER, /* the folder becomes a link to "safe" */
	TEMPS,  /* all temporaries become links to "safe/out.bddf" */
};

static const struct swap {
	enum kind kind;
	const char *name;
} swaps[] = {
	{ FOLDER, NULL },
	{ TEMPS, NULL },
	{ LINK, LOG },
	{ HARD, LOG },
	{ LINK, LOG ".salvor-undo" },
	{ HARD, LOG ".salvor-undo" },
	{ LINK, LOG ".salvor.json" },
	{ HARD, LOG ".salvor.json" },
	{ LINK, OUT },
	{ HARD, OUT },
	{ LINK, OUT ".salvor.json" },
	{ HARD, OUT ".salvor.json" },
	{ LINK, "record" },
	{ HARD, "record" },
	{ LINK, "map" },
};

static const char *const precious[] = { LOG ".salvor-undo", LOG ".salvor.json",
	OUT, OUT ".salvor.json", "record", "map" };

static struct made_log sound; /* "safe" has it: another one, intact */

static const char *
in(const char *folder, const char *name)
{
	char path[NAME];

	snprintf(path, sizeof(path), "%.40s/%.60s", folder, name);
	return scratch_path(path);
}

/* A name that the folder has aside. */
static void
move_away(const char *name)
{
	static unsigned turn;
	char aside[NAME];

	snprintf(aside, sizeof(aside), "aside-%u", turn++);
	if (rename(in("shared", name), in("shared", aside)) < 0
	    && errno != ENOENT)
		abort();
}

static void
exchange_temps(void)
{
	DIR *d = opendir(scratch_path("shared"));
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, ".salvor-", 8) != 0)
			continue;
		move_away(e->d_name);
		(void)!symlink("../safe/" OUT, in("shared", e->d_name));
	}
	if (d != NULL)
		closedir(d);
}

static void
exchange(const void *ctx)
{
	const struct swap *s = ctx;
	char to[NAME];

	switch (s->kind) {
	case FOLDER:
		(void)rename(scratch_path("shared"), scratch_path("moved"));
		(void)!symlink("safe", scratch_path("shared"));
		break;
	case TEMPS: exchange_temps(); break;
	case LINK:
		move_away(s->name);
		snprintf(to, sizeof(to), "../safe/%.60s", s->name);
		(void)!symlink(to, in("shared", s->name));
		break;
	case HARD:
		move_away(s->name);
		(void)!link(in("safe", s->name), in("shared", s->name));
		break;
	}
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)st;
	(void)what;
	return at->level > 0 ? remove(path) : 0;
}

static void
clean(void)
{
	(void)nftw(scratch_path("."), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void
write_in(const char *folder, const char *name, const void *bytes, size_t n)
{
	char path[NAME];

	snprintf(path, sizeof(path), "%.40s/%.60s", folder, name);
	scratch_write(path, bytes, n);
}

/* All files of "safe", and all that can be seen of them. */
static void
take_safe(struct blob *state)
{
	struct dirent **names;
	int n = scandir(scratch_path("safe"), &names, NULL, alphasort);

	state->n = 0;
	for (int i = 0; i < n; i++) {
		const char *path = in("safe", names[i]->d_name);
		struct blob bytes = { 0 };
		struct stat st;

		if (lstat(path, &st) < 0)
			abort();
		blob_add(state, names[i]->d_name, strlen(names[i]->d_name) + 1);
		blob_add(state, &st.st_mode, sizeof(st.st_mode));
		blob_add(state, &st.st_ino, sizeof(st.st_ino));
		if (S_ISREG(st.st_mode) && blob_read(&bytes, path))
			blob_add(state, bytes.at, bytes.n);
		blob_free(&bytes);
		free(names[i]);
	}
	free(names);
}

static enum slv_status
run(const struct trial *t, enum act what, struct slv_report **out)
{
	struct slv_options opt = t->opt;
	char log[PATH], output[PATH], record[PATH], map[PATH];

	snprintf(log, sizeof(log), "%s", in("shared", LOG));
	snprintf(output, sizeof(output), "%s", in("shared", OUT));
	snprintf(record, sizeof(record), "%s", in("records", "record"));
	snprintf(map, sizeof(map), "%s", in("shared", "map"));
	opt.temp_dir = scratch_path(".");
	switch (what) {
	case REPAIR:
		opt.output = output;
		opt.mapfile = t->mapped ? map : NULL;
		return slv_repair(log, &opt, out);
	case IN_PLACE:
		opt.in_place = true;
		opt.undo_file = t->apart ? record : NULL;
		return slv_repair(log, &opt, out);
	case UNDO: return slv_undo(log, &opt, out);
	case DISCARD: opt.discard_undo = true; return slv_undo(log, &opt, out);
	case LOOK: return slv_verify(log, &opt, out);
	}
	return SLV_E_BUG;
}

/* What the first half of a state sector is makes a record an open one. */
static void
open_record(void)
{
	FILE *f = fopen(in("shared", LOG ".salvor-undo"), "r+b");

	if (f == NULL || fseek(f, 512, SEEK_SET) != 0 || fputc('-', f) == EOF
	    || fclose(f) != 0)
		abort();
}

/* Leave the report of a repair, and not its output. */
static void
leave_report(const struct blob *cut)
{
	struct trial plain = { .told = true };
	struct slv_report *report = NULL;

	write_in("shared", LOG, cut->at, cut->n - 100);
	CHECK_OK(run(&plain, REPAIR, &report), NULL);
	slv_report_free(report);
	if (unlink(in("shared", OUT)) < 0)
		abort();
}

static void
prepare(const struct trial *t)
{
	const struct blob *cut = job_input(&(struct job){ .input = CUT });
	struct trial plain = { .apart = t->apart };
	struct slv_report *report = NULL;

	clean();
	(void)mkdir(scratch_path("safe"), 0777);
	(void)mkdir(scratch_path("shared"), 0777);
	(void)mkdir(scratch_path("records"), 0777);
	if (t->told)
		leave_report(cut);
	write_in("shared", LOG, cut->at, cut->n);
	write_in("safe", LOG, sound.bytes.at, sound.bytes.n);
	for (size_t i = 0; i < sizeof(precious) / sizeof(*precious); i++)
		write_in("safe", precious[i], "precious", 8);
	if (t->act == UNDO || t->act == DISCARD || t->open) {
		CHECK_OK(run(&plain, IN_PLACE, &report), NULL);
		slv_report_free(report);
	}
	if (t->open)
		open_record();
	if (t->opt.force && t->act == REPAIR)
		write_in("shared", OUT, "old", 3);
}

/* Whether the exchange is what the caller may have named as well. */
static bool
is_asked_for(const struct trial *t, const struct swap *s)
{
	return t->opt.force
	    && (t->act == REPAIR
	            ? s->kind == FOLDER
	            : s->kind == HARD && strcmp(s->name, LOG) == 0);
}

static void
try_all(const struct trial *t, const struct swap *s)
{
	struct fake_plan plan = {
		.calls = BY_NAME,
		.how = FAKE_ACT,
		.act = exchange,
		.act_ctx = s,
	};
	struct fake_result result = { .fired = 1 };
	struct blob before = { 0 }, after = { 0 };

	for (plan.k = fault_first(); result.fired > 0 && !check_enough();
	     plan.k = fault_next(plan.k)) {
		struct slv_report *report = NULL;

		check_case("%s: exchange %u of %s at call %u", t->name,
		    (unsigned)s->kind, s->name != NULL ? s->name : "all",
		    plan.k);
		prepare(t);
		take_safe(&before);
		fake_on(&plan);
		(void)run(t, t->act, &report);
		fake_off(&result);
		slv_report_free(report);
		take_safe(&after);
		CHECK_BYTES(after.at, after.n, before.at, before.n);
	}
	CHECK(plan.k > 10);
	blob_free(&before);
	blob_free(&after);
}

static void
nothing_else_is_touched(void)
{
	const struct recipe recipe = {
		.series = 2,
		.blocks = 9,
		.most = 300,
		.keys = 1,
		.seed = 3,
	};

	make_bddf(&sound, &recipe, NULL);
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		for (size_t k = 0; k < sizeof(swaps) / sizeof(*swaps); k++) {
			if (!is_asked_for(&trials[i], &swaps[k]))
				try_all(&trials[i], &swaps[k]);
		}
	}
	check_case("%s", "");
	made_free(&sound);
	clean();
}

static CU_TestInfo tests[] = {
	{ "nothing else is touched", nothing_else_is_touched },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "races", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return faults_main(suites);
}
