/* calls.c - every system call and every allocation fails, one at a time.
 *
 * This is several programs, so that valgrind, under which it takes minutes,
 * runs on several processors: each has one in CALLS_STEP of the jobs, from
 * number CALLS_FROM on.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/faults.h"
#include "support/check.h"
#include "support/repair.h"
#include "support/scratch.h"

#define LEAK_RUNS 100 /* that grow, one after another, are no accident */

/* The lowest descriptor that is free: higher afterwards, one was leaked. */
static int
free_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

/* Bytes that malloc has handed out, or keeps at hand.  Sanitizers and valgrind
 * bring a malloc and a leak check of their own, and this stays 0. */
static size_t
allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* The output of a run in which parts of the input could not be read: other
 * than it should be, but a sound log. */
static bool
target_is_sound(void)
{
	struct repaired r = { 0 };
	struct blob out = { 0 };
	bool sound = blob_read(&out, scratch_path("out"));

	repair_memory(&r, out.at, out.n, 0);
	sound = sound && r.state == SLV_STATE_INTACT;
	repaired_free(&r);
	blob_free(&out);
	return sound;
}

/* The report can be told, and tells of the failure. */
static void
check_report(
    const struct job *job, const struct slv_report *report, enum slv_status st)
{
	const char *name = job->way == PIPED ? "-:" : "in.bddf";
	char *text, *json;

	if (job->way == APPLYING)
		return;
	if (!CHECK(report != NULL || st == SLV_E_NOMEM) || report == NULL)
		return;
	CHECK_STATUS(slv_report_status(report), st, NULL);
	CHECK((slv_report_state(report) == SLV_STATE_FAILED) == (st != SLV_OK));
	text = slv_report_text(report, SLV_PAGE_BRIEF, 0);
	json = slv_report_json(report);
	CHECK(text != NULL && strstr(text, name) != NULL);
	CHECK(json != NULL
	    && (strstr(json, "\"failed\"") != NULL) == (st != SLV_OK));
	free(text);
	free(json);
}

static void
check_files(const struct job *job, enum slv_status st,
    const struct fake_result *result, int os)
{
	bool writes = job->target != NO_TARGET && !job->opt.dry_run;
	bool lost = result->struck & FAKE_BIT(FAKE_PREAD) && os == EIO;

	CHECK(scratch_holds("in.bddf", job_input(job)->at, job_input(job)->n));
	if (st == SLV_OK && writes)
		CHECK(target_is_complete(job) || (lost && target_is_sound())
		    || (lost && target_is_old(job)));
	else
		CHECK(
		    target_is_old(job) || (writes && target_is_complete(job)));
	CHECK(target_is_told(job) || (job->target == DONE && st != SLV_OK)
	    || job->opt.dry_run);
	CHECK(scratch_count(".salvor-") == 0
	    || result->struck & FAKE_BIT(FAKE_UNLINK));
}

/* Bytes that a run leaves allocated. */
static size_t
growth(const struct job *job, const struct fake_plan *plan)
{
	struct slv_report *report = NULL;
	size_t before, after;

	job_prepare(job);
	before = allocated();
	fake_on(plan);
	job_run(job, &report);
	fake_off(NULL);
	slv_report_free(report);
	after = allocated();
	return after > before ? after - before : 0;
}

/* What malloc keeps at hand grows for a while; a leak goes on. */
static bool
leaks(const struct job *job, const struct fake_plan *plan)
{
	for (int i = 0; i < LEAK_RUNS; i++) {
		if (growth(job, plan) == 0)
			return false;
	}
	return true;
}

/* Run a job with one plan of faults; whether a fault fired. */
static bool
try_job(const struct job *job, const struct fake_plan *plan,
    struct fake_result *result, enum slv_status *st)
{
	struct slv_report *report = NULL;
	size_t before;
	int fd;

	job_prepare(job);
	fd = free_descriptor();
	before = allocated();
	fake_on(plan);
	*st = job_run(job, &report);
	fake_off(result);
	CHECK_I64(free_descriptor(), fd);
	if (result->struck & FAKE_BIT(FAKE_ALLOC))
		CHECK_STATUS(*st, SLV_E_NOMEM, NULL);
	check_report(job, report, *st);
	check_files(job, *st, result, plan->os);
	slv_report_free(report);
	CHECK(allocated() <= before || !leaks(job, plan));
	return result->fired > 0;
}

/* All faults of one kind, in all jobs.  With `harmless` the jobs must not
 * even notice. */
static void
each_fault(struct fake_plan plan, bool harmless)
{
	struct fake_plan none = { 0 };

	for (size_t i = CALLS_FROM; i < n_jobs; i += CALLS_STEP) {
		struct fake_result result;
		enum slv_status st;

		/* Once without, so that it is known to work. */
		check_case("%s", "");
		try_job(&jobs[i], &none, &result, &st);
		CHECK_OK(st, NULL);
		for (plan.k = fault_first(); !check_enough();
		     plan.k = fault_next(plan.k)) {
			check_case("%s: call %u fails%s, errno %d (%s)",
			    jobs[i].name, plan.k,
			    plan.onward ? " and all later ones" : "", plan.os,
			    plan.how == FAKE_SHORT ? "short"
			                           : strerror(plan.os));
			if (!try_job(&jobs[i], &plan, &result, &st))
				break;
			if (harmless)
				CHECK_OK(st, NULL);
		}
		if (!harmless)
			CHECK(plan.k > 1);
	}
	check_case("%s", "");
	scratch_clean();
}

static void
calls_fail(int os, bool onward)
{
	struct fake_plan plan = {
		.calls = FAKE_ALL_SYS,
		.onward = onward,
		.os = os,
	};

	each_fault(plan, false);
}

static void
input_output_error(void)
{
	calls_fail(EIO, false);
	calls_fail(EIO, true);
}

static void
no_space(void)
{
	calls_fail(ENOSPC, false);
	calls_fail(ENOSPC, true);
}

static void
no_permission(void)
{
	calls_fail(EACCES, false);
	calls_fail(EACCES, true);
}

static void
interrupted(void)
{
	struct fake_plan plan = { .os = EINTR };

	plan.calls = FAKE_BIT(FAKE_PREAD) | FAKE_BIT(FAKE_WRITE)
	    | FAKE_BIT(FAKE_READ) | FAKE_BIT(FAKE_WAIT);
	each_fault(plan, true);
	plan.onward = true;
	each_fault(plan, true);
	calls_fail(EINTR, false);
}

static void
short_reads_and_writes(void)
{
	struct fake_plan plan = { .how = FAKE_SHORT };

	plan.calls =
	    FAKE_BIT(FAKE_PREAD) | FAKE_BIT(FAKE_WRITE) | FAKE_BIT(FAKE_READ);
	each_fault(plan, true);
	plan.onward = true;
	each_fault(plan, true);
}

static void
no_memory(void)
{
	struct fake_plan plan = { .os = ENOMEM };

	plan.calls = FAKE_BIT(FAKE_ALLOC);
	each_fault(plan, false);
	plan.onward = true;
	each_fault(plan, false);
}

/* The user wants to stop: at every call.  What was published stays. */
static void
stopped(void)
{
	volatile sig_atomic_t cancel = 0;
	struct fake_plan plan = { .calls = FAKE_ALL_SYS, .how = FAKE_WISH };

	plan.cancel = &cancel;
	for (size_t i = CALLS_FROM; i < n_jobs; i += CALLS_STEP) {
		struct fake_result result = { .fired = 1 };
		struct job job = jobs[i];

		job.opt.cancel = &cancel;
		for (plan.k = fault_first();
		     result.fired > 0 && !check_enough();
		     plan.k = fault_next(plan.k)) {
			struct slv_report *report = NULL;
			enum slv_status st;

			check_case("%s: stopped at call %u", job.name, plan.k);
			cancel = 0;
			job_prepare(&job);
			fake_on(&plan);
			st = job_run(&job, &report);
			fake_off(&result);
			CHECK(st == SLV_OK || st == SLV_E_CANCELLED);
			CHECK(job.way == APPLYING
			    || (slv_report_state(report) == SLV_STATE_CANCELLED)
			        == (st != SLV_OK));
			CHECK(target_is_old(&job)
			    || (st == SLV_OK && target_is_complete(&job)));
			CHECK_U64(scratch_count(".salvor-"), 0);
			slv_report_free(report);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

/* What a job made of a sector that cannot be read: its status and report, or NULL. */
typedef void judge_fn(const struct job *, uint64_t off, enum slv_status,
    const struct slv_report *);

/* That is damage. */
static void
judge_damage(const struct job *job, uint64_t off, enum slv_status st,
    const struct slv_report *report)
{
	bool told = job->way == MAPPED && off == 0x400;
	const char *finding = told ? "core.not-rescued" : "core.unreadable";
	char *json = slv_report_json(report);

	CHECK_OK(st, NULL);
	CHECK(slv_report_state(report) != SLV_STATE_INTACT);
	CHECK(!scratch_has("out") || target_is_sound());
	CHECK(json != NULL && strstr(json, finding) != NULL);
	/* Unless the log is back without that sector. */
	CHECK(slv_report_assurance(report) != SLV_BY_DIGEST
	    || strstr(json, "\"proven\":true") != NULL);
	free(json);
}

/* What one copy cannot give, another can. */
static void
judge_copy(const struct job *job, uint64_t off, enum slv_status st,
    const struct slv_report *report)
{
	(void)off;
	CHECK_OK(st, NULL);
	CHECK(!scratch_has("out") || target_is_sound());
	CHECK(target_is_complete(job)
	    || slv_report_assurance(report) != SLV_BY_DIGEST);
}

/* A plan is of all sectors. */
static void
judge_planned(const struct job *job, uint64_t off, enum slv_status st,
    const struct slv_report *report)
{
	(void)off;
	(void)report;
	CHECK_STATUS(st, SLV_E_IO, NULL);
	CHECK(target_is_old(job));
}

/* Each sector of a job's input in turn cannot be read, up to `end`. */
static void
try_sectors(const struct job *job, uint64_t end, judge_fn *judge)
{
	struct slv_range bad = { 0, 512 };
	struct fake_plan plan = { .bad = &bad, .n_bad = 1 };

	for (bad.off = 0; bad.off < end; bad.off += 512) {
		struct slv_report *report = NULL;
		enum slv_status st;

		bad.end = bad.off + 512;
		check_case(
		    "%s: sector at %u is bad", job->name, (unsigned)bad.off);
		job_prepare(job);
		if (judge == judge_damage)
			scratch_remove("out");
		plan.bad_file = scratch_path("in.bddf");
		fake_on(&plan);
		st = job_run(job, &report);
		fake_off(NULL);
		judge(job, bad.off, st, report);
		slv_report_free(report);
	}
}

static void
bad_sectors(void)
{
	for (size_t i = CALLS_FROM; i < n_jobs; i += CALLS_STEP) {
		const struct job *job = &jobs[i];
		uint64_t n = job_input(job)->n;

		/* What comes through a pipe is on no disk, and what cannot be
		 * read is in no doubt. */
		if (job->way == PIPED || job->way == DOUBTING)
			continue;
		if (job->way == APPLYING)
			try_sectors(job, n, judge_planned);
		else if (job->input == COPY)
			try_sectors(job, n - 512, judge_copy);
		else
			try_sectors(job, n, judge_damage);
	}
	check_case("%s", "");
	scratch_clean();
}

static void
nothing_can_be_read(void)
{
	struct slv_range bad = { 0, UINT64_MAX };
	struct fake_plan plan = { .bad = &bad, .n_bad = 1 };

	for (size_t i = CALLS_FROM; i < n_jobs; i += CALLS_STEP) {
		struct slv_report *report = NULL;

		if (jobs[i].way == PIPED || jobs[i].input >= COPY)
			continue;
		check_case("%s", jobs[i].name);
		job_prepare(&jobs[i]);
		plan.bad_file = scratch_path("in.bddf");
		fake_on(&plan);
		CHECK_STATUS(job_run(&jobs[i], &report), SLV_E_IO, NULL);
		fake_off(NULL);
		check_report(&jobs[i], report, SLV_E_IO);
		CHECK(target_is_old(&jobs[i]));
		slv_report_free(report);
	}
	check_case("%s", "");
	scratch_clean();
}

static CU_TestInfo tests[] = {
	{ "input/output error", input_output_error },
	{ "no space", no_space },
	{ "no permission", no_permission },
	{ "interrupted", interrupted },
	{ "short reads and writes", short_reads_and_writes },
	{ "no memory", no_memory },
	{ "stopped", stopped },
	{ "bad sectors", bad_sectors },
	{ "nothing can be read", nothing_can_be_read },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "calls", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return faults_main(suites);
}
