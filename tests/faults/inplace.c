/* inplace.c - repairs in place, and their undoing, on a system that fails or
 * with a process that is killed, at every call.
 *
 * Whatever happens, the file is the old one, the new one, or has an open undo
 * record beside it; then repair --in-place gives the new one, and undo the
 * old. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/faults.h"
#include "job/inplace/undo.h"
#include "report/report.h"
#include "support/check.h"
#include "support/scratch.h"
#include "options/options.h"

enum act { REPAIR, UNDO, DISCARD, LOOK };

static const struct change {
	const char *name;
	enum act act;
	enum input input;
	bool apart; /* the record is elsewhere */
	struct slv_options opt;
} changes[] = {
	{ "in place, cut", REPAIR, CUT, false, { 0 } },
	{ "in place, no index", REPAIR, NO_INDEX, false, { 0 } },
	{ "in place, record elsewhere", REPAIR, CUT, true, { 0 } },
	{ "in place, rereading", REPAIR, CUT, false,
	    { .verify_written = true } },
	{ "in place, dry run", REPAIR, CUT, false, { .dry_run = true } },
	{ "undo", UNDO, CUT, false, { 0 } },
	{ "undo, record elsewhere", UNDO, CUT, true, { 0 } },
	{ "undo, dry run", UNDO, CUT, false, { .dry_run = true } },
	{ "discard", DISCARD, CUT, false, { 0 } },
	{ "verify beside a record", LOOK, CUT, false, { 0 } },
};

#define CHANGES (sizeof(changes) / sizeof(*changes))

static const struct blob *
old_of(const struct change *c)
{
	return job_input(&(struct job){ .input = c->input });
}

static const struct blob *
new_of(const struct change *c)
{
	return job_output(&(struct job){ .input = c->input });
}

static bool
is_old(const struct change *c)
{
	return scratch_holds("in.bddf", old_of(c)->at, old_of(c)->n);
}

static bool
is_new(const struct change *c)
{
	return scratch_holds("in.bddf", new_of(c)->at, new_of(c)->n);
}

/* Whether the record is there, and open. */
static bool
is_open(void)
{
	struct slv_undo_seen seen = { .exists = false };
	struct slv_err err = { 0 };
	struct slv_undo_names n;

	CHECK_OK(slv_undo_names(&n, scratch_path("in.bddf"), NULL, &err), &err);
	CHECK_OK(slv_undo_state(&n, &seen, &err), &err);
	slv_undo_names_free(&n);
	return seen.exists && !seen.closed;
}

static enum slv_status
act(const struct change *c, enum act act, const struct slv_options *with,
    struct slv_report **out)
{
	const char *file = scratch_path("in.bddf");
	struct slv_options opt = *with;

	if (act == LOOK)
		return slv_verify(file, &opt, out);
	if (act == REPAIR && c->apart)
		opt.undo_file = scratch_path("record");
	opt.in_place = act == REPAIR;
	opt.discard_undo = act == DISCARD;
	return act == REPAIR ? slv_repair(file, &opt, out)
	                     : slv_undo(file, &opt, out);
}

/* Do it on the real system. */
static enum slv_status
really(const struct change *c, enum act what)
{
	struct slv_options opt = { 0 };
	struct slv_report *report = NULL;
	enum slv_status st = act(c, what, &opt, &report);

	slv_report_free(report);
	return st;
}

/* What changes begin with that do not repair: a repaired file. */
static struct blob repaired[2]; /* its record beside it, or elsewhere */

static void
prepare(const struct change *c)
{
	struct blob *state = &repaired[c->apart];

	if (c->act != REPAIR && state->n > 0) {
		scratch_put(state);
		return;
	}
	scratch_clean();
	scratch_write("in.bddf", old_of(c)->at, old_of(c)->n);
	if (c->act == REPAIR)
		return;
	CHECK(c->input == CUT);
	CHECK_OK(really(c, REPAIR), NULL);
	scratch_take(state);
}

static bool
is_done(const struct change *c)
{
	bool done = c->act == REPAIR || c->act == UNDO;

	if (c->opt.dry_run)
		done = false;
	/* Those that begin with a repaired file. */
	if (c->act == REPAIR)
		return done ? is_new(c) : is_old(c);
	return done ? is_old(c) : is_new(c);
}

/* Neither version has lost a byte. */
static void
check_both(const struct change *c)
{
	struct slv_options look = { 0 };
	struct slv_report *report = NULL;

	CHECK(is_old(c) || is_new(c) || is_open());
	CHECK_OK(slv_verify(scratch_path("in.bddf"), &look, &report), NULL);
	CHECK(slv_report_unfinished(report) == is_open());
	slv_report_free(report);
	CHECK_OK(really(c, REPAIR), NULL);
	CHECK(is_new(c));
	if (!scratch_has("in.bddf.salvor-undo"))
		return; /* was final */
	CHECK_OK(really(c, UNDO), NULL);
	CHECK(is_old(c));
	CHECK(!scratch_has("in.bddf.salvor-undo") && !scratch_has("record"));
}

/* The same, and undo comes first. */
static void
check_undo(const struct change *c)
{
	enum slv_status st = really(c, UNDO);

	CHECK(st == SLV_OK || st == SLV_E_REFUSED);
	CHECK(is_old(c) || (c->act == DISCARD && is_new(c)));
}

/* States of the directory from which both ways were gone.  What comes of one
 * is a function of its bytes, so that it need not be tried again each time
 * that a fault leads to it. */
static struct tried {
	bool apart, discards;
	enum input input;
	struct blob state;
} * tried;
static size_t n_tried;

static bool
is_tried(const struct tried *now)
{
	for (size_t i = 0; i < n_tried; i++) {
		const struct tried *t = &tried[i];

		if (t->apart == now->apart && t->discards == now->discards
		    && t->input == now->input && t->state.n == now->state.n
		    && memcmp(t->state.at, now->state.at, now->state.n) == 0)
			return true;
	}
	return false;
}

/* Both versions can be had from what a change has left. */
static void
check_left(const struct change *c)
{
	struct tried now = { c->apart, c->act == DISCARD, c->input, { 0 } };

	scratch_take(&now.state);
	if (is_tried(&now)) {
		blob_free(&now.state);
		return;
	}
	check_both(c);
	scratch_put(&now.state);
	check_undo(c);
	tried = realloc(tried, (n_tried + 1) * sizeof(*tried));
	if (tried == NULL)
		abort();
	tried[n_tried++] = now;
}

/* A repair that failed has put back what it changed, and left nothing beside
 * it: a system that fails once lets it.  Else it is told how to go on. */
static void
check_failed(const struct change *c, const struct fake_plan *plan,
    const struct slv_report *report)
{
	if (is_open()) {
		CHECK(plan->onward || is_new(c));
		CHECK(strstr(report->err.text, ": salvor ") != NULL);
		return;
	}
	/* What fails last of all is to close the record for sure. */
	if (is_new(c))
		return;
	CHECK(is_old(c));
	CHECK(plan->onward || !scratch_has("in.bddf.salvor.json"));
}

/* Run a change with one plan of faults; whether a fault fired. */
static bool
try_change(
    const struct change *c, const struct fake_plan *plan, enum slv_status *st)
{
	struct slv_report *report = NULL;
	struct fake_result result;
	int fd, after;

	prepare(c);
	fd = open("/dev/null", O_RDONLY);
	close(fd);
	fake_on(plan);
	*st = act(c, c->act, &c->opt, &report);
	fake_off(&result);
	after = open("/dev/null", O_RDONLY);
	close(after);
	CHECK_I64(after, fd);
	if (CHECK(report != NULL || *st == SLV_E_NOMEM) && report != NULL)
		CHECK_STATUS(slv_report_status(report), *st, NULL);
	CHECK(*st != SLV_OK || is_done(c) || (c->act == LOOK && !is_open()));
	CHECK(scratch_count(".salvor-") == 0
	    || result.struck & FAKE_BIT(FAKE_UNLINK));
	if (*st != SLV_OK && report != NULL && c->act == REPAIR)
		check_failed(c, plan, report);
	slv_report_free(report);
	check_left(c);
	return result.fired > 0;
}

static void
each_fault(struct fake_plan plan, bool harmless)
{
	struct fake_plan none = { 0 };

	for (size_t i = 0; i < CHANGES; i++) {
		enum slv_status st;

		check_case("%s", changes[i].name);
		try_change(&changes[i], &none, &st);
		CHECK_OK(st, NULL);
		for (plan.k = fault_first(); !check_enough();
		     plan.k = fault_next(plan.k)) {
			check_case("%s: call %u fails%s, %s", changes[i].name,
			    plan.k, plan.onward ? " and all later ones" : "",
			    plan.how == FAKE_SHORT ? "short"
			                           : strerror(plan.os));
			if (!try_change(&changes[i], &plan, &st))
				break;
			if (harmless)
				CHECK_OK(st, NULL);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

static void
calls_fail(void)
{
	static const int errors[] = { EIO, ENOSPC, EACCES, EINTR };

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		struct fake_plan plan = { .calls = FAKE_ALL_SYS };

		plan.os = errors[i];
		each_fault(plan, false);
		plan.onward = true;
		each_fault(plan, false);
	}
}

static void
harmless(void)
{
	struct fake_plan plan = { .os = EINTR };

	plan.calls = FAKE_BIT(FAKE_PREAD) | FAKE_BIT(FAKE_WRITE)
	    | FAKE_BIT(FAKE_PWRITE) | FAKE_BIT(FAKE_FTRUNCATE)
	    | FAKE_BIT(FAKE_RESERVE);
	each_fault(plan, true);
	plan.onward = true;
	each_fault(plan, true);
	plan.how = FAKE_SHORT;
	plan.calls =
	    FAKE_BIT(FAKE_PREAD) | FAKE_BIT(FAKE_WRITE) | FAKE_BIT(FAKE_PWRITE);
	each_fault(plan, true);
	/* A file system that cannot reserve room, or has no locks. */
	plan.how = FAKE_ERRNO;
	plan.os = ENOTSUP;
	plan.calls = FAKE_BIT(FAKE_RESERVE) | FAKE_BIT(FAKE_LOCK);
	each_fault(plan, true);
}

static void
no_memory(void)
{
	struct fake_plan plan = { .os = ENOMEM, .calls = FAKE_BIT(FAKE_ALLOC) };

	each_fault(plan, false);
	plan.onward = true;
	each_fault(plan, false);
}

/* The user wants to stop at this call: a file is changed whole or not at all. */
static enum slv_status
stop_at(struct change c, struct fake_plan *plan, struct fake_result *result)
{
	volatile sig_atomic_t cancel = 0;
	struct slv_report *report = NULL;
	enum slv_status st;

	plan->how = FAKE_WISH;
	plan->cancel = &cancel;
	c.opt.cancel = &cancel;
	prepare(&c);
	fake_on(plan);
	st = act(&c, c.act, &c.opt, &report);
	fake_off(result);
	CHECK(st == SLV_OK || st == SLV_E_CANCELLED);
	CHECK(is_old(&c) || is_new(&c));
	CHECK(!is_open());
	CHECK_U64(scratch_count(".salvor-"), 0);
	slv_report_free(report);
	check_left(&c);
	return st;
}

static void
stopped(void)
{
	struct fake_plan plan = { .calls = FAKE_ALL_SYS }, lock = { .k = 1 };
	struct fake_result result;

	lock.calls = FAKE_BIT(FAKE_LOCK);
	for (size_t i = 0; i < CHANGES; i++) {
		const struct change *c = &changes[i];

		result.fired = 1;
		for (plan.k = fault_first();
		     result.fired > 0 && !check_enough();
		     plan.k = fault_next(plan.k)) {
			check_case("%s: stopped at call %u", c->name, plan.k);
			(void)stop_at(*c, &plan, &result);
		}
		/* Then a repair has not changed anything yet. */
		check_case("%s: stopped at the lock", c->name);
		if (c->act == REPAIR && !c->opt.dry_run)
			CHECK_STATUS(
			    stop_at(*c, &lock, &result), SLV_E_CANCELLED, NULL);
	}
	check_case("%s", "");
	scratch_clean();
}

/* Somebody writes to the file after it was scanned. */
static void
changed_since(void)
{
	static const struct change repair = { "grown", REPAIR, CUT, false,
		{ 0 } };
	struct fake_plan plan = {
		.k = 1,
		.calls = FAKE_BIT(FAKE_LOCK),
		.how = FAKE_GROW,
	};
	struct slv_report *report = NULL;
	struct blob now = { 0 };

	prepare(&repair);
	plan.grown = scratch_path("in.bddf");
	fake_on(&plan);
	CHECK_STATUS(
	    act(&repair, REPAIR, &repair.opt, &report), SLV_E_ACTIVE, NULL);
	fake_off(NULL);
	slv_report_free(report);
	blob_set(&now, old_of(&repair)->at, old_of(&repair)->n);
	blob_byte(&now, 0);
	CHECK(scratch_holds("in.bddf", now.at, now.n));
	CHECK_U64(scratch_count(""), 1);
	blob_free(&now);
	scratch_clean();
}

/* Do it in a child that dies at call k; whether it died. */
static bool
die_at(const struct change *c, unsigned k)
{
	struct fake_plan plan = {
		.k = k,
		.calls = FAKE_ALL_SYS,
		.how = FAKE_KILL,
	};
	struct slv_report *report = NULL;
	int how = 0;
	pid_t child;

	prepare(c);
	child = fork();
	if (child == 0) {
		fake_on(&plan);
		_exit(act(c, c->act, &c->opt, &report) == SLV_OK ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &how, 0) == child);
	CHECK((WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
	    || (WIFEXITED(how) && WEXITSTATUS(how) == 0));
	return WIFSIGNALED(how);
}

static void
killed_at_every_call(void)
{
	for (size_t i = 0; i < CHANGES; i++) {
		const struct change *c = &changes[i];
		bool died = true;

		for (unsigned k = fault_first(); died && !check_enough();
		     k = fault_next(k)) {
			check_case("%s: killed at call %u", c->name, k);
			died = die_at(c, k);
			CHECK(scratch_count(".salvor-") <= 2);
			check_left(c);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

static CU_TestInfo tests[] = {
	{ "calls fail", calls_fail },
	{ "interrupted, short, not supported", harmless },
	{ "no memory", no_memory },
	{ "stopped", stopped },
	{ "changed since it was scanned", changed_since },
	{ "killed at every call", killed_at_every_call },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "in place", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	int r = faults_main(suites);

	for (size_t i = 0; i < n_tried; i++)
		blob_free(&tried[i].state);
	free(tried);
	blob_free(&repaired[false]);
	blob_free(&repaired[true]);
	return r;
}
