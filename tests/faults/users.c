/* users.c - another user exchanges what is beside a log between check and use.
 *
 * The log of a victim is in a folder where others may make and rename files.
 * Before the k-th call, for every k, the other user puts a file, a link or a FIFO
 * of his in the place of one of the victim, and takes it back some calls later.
 * Whatever becomes of the job, no byte of the other user reaches the log or the
 * report, and what he made is not opened.
 *
 * As root, the two are really two, see support/users.h.
 */
#include <stdio.h>
#include <string.h>

#include "faults/faults.h"
#include "faults/plots.h"
#include "support/check.h"
#include "support/scratch.h"
#include "support/users.h"

/* Calls by which a name is looked up, or what it names is judged. */
#define CALLS                                                                  \
	(FAKE_BIT(FAKE_OPEN) | FAKE_BIT(FAKE_STAT) | FAKE_BIT(FAKE_LOOK)       \
	    | FAKE_BIT(FAKE_FSTAT) | FAKE_BIT(FAKE_READLINK)                   \
	    | FAKE_BIT(FAKE_REALPATH) | FAKE_BIT(FAKE_RENAME)                  \
	    | FAKE_BIT(FAKE_RENAME_NEW) | FAKE_BIT(FAKE_LINK)                  \
	    | FAKE_BIT(FAKE_SYMLINK) | FAKE_BIT(FAKE_UNLINK)                   \
	    | FAKE_BIT(FAKE_CLOSE))

/* A name in the shared folder is from now on that of what the other user has
 * there, and the victim's is aside; and again as it was. */
static void
put(const char *name)
{
	(void)rename(scratch_path(name), scratch_path("theirs/aside"));
	(void)rename(scratch_path("theirs/x"), scratch_path(name));
}

static void
take(const char *name)
{
	(void)rename(scratch_path(name), scratch_path("theirs/x"));
	(void)rename(scratch_path("theirs/aside"), scratch_path(name));
}

/* What the other user does, and how many calls later he takes it back. */
struct plot {
	const char *place;
	unsigned back; /* 0: never */
	unsigned *calls;
};

static void
act(const void *ctx)
{
	const struct plot *p = ctx;
	unsigned call = (*p->calls)++;
	bool peeps = strcmp(p->place, PEEP) == 0;

	if (call != 0 && call != p->back && !peeps)
		return;
	users_become(USER_OTHER);
	if (peeps)
		plots_peep();
	else if (call == 0)
		put(p->place);
	else
		take(p->place);
	users_become(USER_VICTIM);
}

/* Whether the other user came to act. */
static bool
try_one(const struct trial *t, unsigned k, unsigned back)
{
	unsigned calls = 0;
	struct plot plot = { .place = t->place, .back = back, .calls = &calls };
	struct fake_plan plan = {
		.k = t->place != NULL ? k : 0,
		.onward = true,
		.calls = CALLS,
		.how = FAKE_ACT,
		.act = act,
		.act_ctx = &plot,
	};
	struct slv_report *r = NULL;
	struct fake_result result;
	enum slv_status st;

	check_case("%s, at call %u, for %u", t->name, k, back);
	t->prepare(t->other);
	users_become(USER_VICTIM);
	users_watch();
	fake_on(&plan);
	st = plots_run(t, &r);
	fake_off(&result);
	users_unwatch();
	t->judge(st, r);
	slv_report_free(r);
	return result.fired > 0;
}

/* The other user acts before every call, or once. */
static void
try_all(const struct trial *t)
{
	static const unsigned backs[] = { 0, 1, 2, 3, 4, 6, 9, 14 };
	bool once = t->place == NULL || strcmp(t->place, PEEP) == 0;

	for (size_t b = 0; b < sizeof(backs) / sizeof(*backs); b++) {
		unsigned k = 1;

		while (try_one(t, k, backs[b]) && !once && !check_enough())
			k++;
		CHECK(once || k > 5);
		if (once)
			break;
	}
	check_case("%s", "");
}

static void
another_user_is_not_believed(void)
{
	users_open();
	plots_open();
	for (size_t i = 0; i < n_trials; i++)
		try_all(&trials[i]);
	plots_close();
	users_close();
}

static void
nor_are_other_logs(void)
{
	users_open();
	plots_logs_open();
	for (size_t i = 0; i < n_log_trials; i++)
		try_all(&log_trials[i]);
	plots_logs_close();
	users_close();
}

static CU_TestInfo tests[] = {
	{ "another user is not believed", another_user_is_not_believed },
	{ "nor are other logs", nor_are_other_logs },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "users", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return faults_main(suites);
}
