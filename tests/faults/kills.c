/* kills.c - kill -9 before every system call: the target is old or complete,
 * and the next run succeeds. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/faults.h"
#include "support/check.h"
#include "support/scratch.h"

/* Run a job in a child that dies at call k; whether it died. */
static bool
die_at(const struct job *job, unsigned k)
{
	struct fake_plan plan = {
		.k = k,
		.calls = FAKE_ALL_SYS,
		.how = FAKE_KILL,
	};
	struct slv_report *report = NULL;
	int how = 0;
	pid_t child = fork();

	if (child == 0) {
		fake_on(&plan);
		_exit(job_run(job, &report) == SLV_OK ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &how, 0) == child);
	CHECK((WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
	    || (WIFEXITED(how) && WEXITSTATUS(how) == 0));
	return WIFSIGNALED(how);
}

static void
check_next_run(const struct job *job)
{
	struct slv_report *report = NULL;
	bool writes = job->target != NO_TARGET && !job->opt.dry_run;

	CHECK_OK(job_run(job, &report), NULL);
	slv_report_free(report);
	CHECK(writes ? target_is_complete(job) : target_is_old(job));
	CHECK(!writes || target_is_told(job));
}

static void
killed_at_every_call(void)
{
	for (size_t i = 0; i < n_jobs; i++) {
		const struct job *job = &jobs[i];
		bool died = true;

		for (unsigned k = fault_first(); died && !check_enough();
		     k = fault_next(k)) {
			check_case("%s: killed at call %u", job->name, k);
			job_prepare(job);
			died = die_at(job, k);
			CHECK(scratch_holds(
			    "in.bddf", job_input(job)->at, job_input(job)->n));
			CHECK(target_is_old(job) || target_is_complete(job));
			CHECK(job->target == DONE || target_is_told(job));
			/* Those of the log and of its report at most, and
			 * they harm nobody. */
			CHECK(scratch_count(".salvor-") <= 2);
			check_next_run(job);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

static CU_TestInfo tests[] = {
	{ "killed at every call", killed_at_every_call },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "kills", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return faults_main(suites);
}
