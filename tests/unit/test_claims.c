/* test_claims.c - tasks that processes claim: each is done once, whoever comes
 * late, whatever comes back. */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batch/workers/claims.h"
#include "support/check.h"
#include "unit/suites.h"

#define TASKS   20000
#define WORKERS 4

static struct slv_claims *
claims(size_t n)
{
	struct slv_claims *c = NULL;
	struct slv_err err = { 0 };

	CHECK_OK(slv_claims_make(&c, n, WORKERS, &err), &err);
	return c;
}

static bool
takes(struct slv_claims *c, unsigned worker, size_t want)
{
	size_t task = 0;

	return slv_claims_take(c, worker, &task) && task == want
	    && slv_claims_owner(c, task) == (int)worker;
}

static void
in_order(void)
{
	struct slv_claims *c = claims(3);
	size_t task;

	CHECK(slv_claims_any(c) && !slv_claims_works(c, 0));
	CHECK(takes(c, 0, 0) && takes(c, 1, 1) && takes(c, 0, 2));
	CHECK(!slv_claims_take(c, 1, &task) && !slv_claims_any(c));
	CHECK(slv_claims_works(c, 0) && !slv_claims_works(c, 2));
	slv_claims_done(c, 0);
	CHECK(!slv_claims_works(c, 0));
	slv_claims_free(c);
}

static void
no_further_than_the_window(void)
{
	struct slv_claims *c = claims(SLV_CLAIMS + 2);
	size_t task;

	for (size_t i = 0; i < SLV_CLAIMS; i++)
		CHECK(takes(c, 0, i));
	CHECK(!slv_claims_take(c, 0, &task) && !slv_claims_any(c));
	slv_claims_pass(c, 0);
	CHECK(
	    slv_claims_any(c) && slv_claims_owner(c, 0) == SLV_CLAIMS_INVALID);
	CHECK(takes(c, 3, SLV_CLAIMS));
	CHECK(!slv_claims_take(c, 0, &task));
	slv_claims_free(c);
}

static void
what_comes_back_is_next(void)
{
	struct slv_claims *c = claims(10);
	size_t task;

	for (size_t i = 0; i < 5; i++)
		CHECK(takes(c, i % 2, i));
	slv_claims_return(c, 1);
	CHECK(slv_claims_owner(c, 1) == SLV_CLAIMS_FREE && slv_claims_any(c));
	CHECK(takes(c, 2, 1) && takes(c, 2, 5));
	slv_claims_bar(c);
	CHECK(!slv_claims_any(c) && !slv_claims_take(c, 2, &task));
	slv_claims_pass(c, 0);
	CHECK(!slv_claims_take(c, 2, &task));
	CHECK(slv_claims_owner(c, 5) == 2);
	slv_claims_free(c);
}

/* Where the next one was looked for all may be done and told of. */
static void
what_is_done_is_passed_by(void)
{
	struct slv_claims *c = claims(10);

	CHECK(takes(c, 0, 0) && takes(c, 0, 1) && takes(c, 0, 2));
	slv_claims_return(c, 0);
	CHECK(takes(c, 1, 0));
	for (size_t i = 0; i < 3; i++)
		slv_claims_pass(c, i);
	CHECK(slv_claims_any(c) && takes(c, 1, 3));
	slv_claims_free(c);
}

/* A worker that counts what it gets, and dies now and then. */
static void
work(struct slv_claims *c, unsigned me, _Atomic unsigned *times)
{
	unsigned n = 0;
	size_t task;

	while (slv_claims_any(c) || times[TASKS] < TASKS) {
		if (!slv_claims_take(c, me, &task))
			continue;
		/* What is given up is still its own, until it goes back. */
		if (++n % 7 == 0) {
			slv_claims_return(c, task);
			continue;
		}
		times[task]++;
		times[TASKS]++;
	}
	_exit(0);
}

static void
each_once(void)
{
	struct slv_claims *c = claims(TASKS);
	_Atomic unsigned *times = mmap(NULL, (TASKS + 1) * sizeof(*times),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	size_t told = 0, wrong = 0;

	if (!CHECK(times != MAP_FAILED))
		return;
	for (unsigned i = 0; i < WORKERS; i++) {
		if (fork() == 0)
			work(c, i, times);
	}
	while (told < TASKS) {
		if (times[told] > 0)
			slv_claims_pass(c, told++);
	}
	while (wait(NULL) > 0)
		continue;
	for (size_t i = 0; i < TASKS; i++)
		wrong += times[i] != 1;
	CHECK_U64(wrong, 0);
	munmap((void *)times, (TASKS + 1) * sizeof(*times));
	slv_claims_free(c);
}

/* A worker that a log has taken over may have written any number. */
static void
sought_forwards_and_backwards(void)
{
	struct slv_claims *c = claims(9);

	CHECK(takes(c, 0, 0) && takes(c, 1, 1));
	slv_claims_return(c, 0);
	slv_claims_seek(c, 5);
	CHECK(takes(c, 2, 5));
	slv_claims_seek(c, 0);
	CHECK(takes(c, 2, 0) && takes(c, 2, 2));
	slv_claims_free(c);
}

CU_TestInfo claims_tests[] = {
	{ "in order", in_order },
	{ "no further than the window", no_further_than_the_window },
	{ "what comes back is next", what_comes_back_is_next },
	{ "what is done is passed by", what_is_done_is_passed_by },
	{ "each once", each_once },
	{ "sought forwards and backwards", sought_forwards_and_backwards },
	CU_TEST_INFO_NULL,
};
