/* faults.h - whole jobs on a system that fails, for the fault tests.
 *
 * A job is one call of the public library on files of its own.  Each is run
 * with its k-th system call or allocation failing, for k = 1, 2, 3 ... until
 * a run in which none did; and each is killed at every system call.
 */
#ifndef TESTS_FAULTS_FAULTS_H
#define TESTS_FAULTS_FAULTS_H

#include <CUnit/CUnit.h>

#include "options/options.h"
#include "salvor.h"
#include "support/blob.h"
#include "support/fake_sys.h"

struct job {
	const char *name;
	enum slv_status (*call)(const char *file, const struct slv_options *,
	    struct slv_report **out);
	struct slv_options opt; /* except for the output's path */
	enum input {
		INTACT,
		CUT,
		NO_INDEX,
		MIXED, /* a stretch twice, and another log after */
		COPY,  /* cut as CUT, and another has the rest */
		DOUBT, /* another copy has other bytes, and nothing decides */
	} input;
	enum target { NO_TARGET, FREE, OLD, DONE } target; /* what "out" is */
	enum way {
		PLAIN,
		LINKED,
		PIPED,
		MAPPED,
		SAVING,
		MERGING,
		DOUBTING,
		FILLING,
		EXPORTING,
		EXTRACTING,
		SERVED,
		APPLYING
	} way; /* how "in" and "out" are named; with maps of "in", with what is
	        * dropped saved beside it, with another copy, with one
	        * that contradicts it, with another copy and gaps filled; as MCAP; some
	        * records; read by a function of the caller's, as of
	        * --read-helper; by a plan, without a report */
};

extern const struct job jobs[];
extern const size_t n_jobs;

/* What a job's "in" holds; what its "out" should hold in the end. */
const struct blob *job_input(const struct job *);
const struct blob *job_output(const struct job *);

/* Lay out the files of a job in an empty scratch directory. */
void job_prepare(const struct job *);

/* Run it; *out as the library leaves it. */
enum slv_status job_run(const struct job *, struct slv_report **out);

/* Whether "out" is as it was before, or holds all that it should. */
bool target_is_old(const struct job *);
bool target_is_complete(const struct job *);

/* Whether "out", if it is a log that the job made with losses, has its report
 * beside it. */
bool target_is_told(const struct job *);

/* Run suites on them; what main is to return. */
int faults_main(CU_SuiteInfo *suites);

/* The first call that fails in a loop over all calls, and the one after call k.
 * With SALVOR_EVERY=n, for what makes programs slow, these are one call in n.
 * Which ones is random, but the same in every run, so that the loops about one
 * job do not all leave out the same calls. */
unsigned fault_first(void);
unsigned fault_next(unsigned k);

#endif
