/* allocator.c - all memory of the library is that of slv_set_allocator().
 *
 * A program of its own, because the allocator is one for the process.  What it hands out
 * begins after a mark, so that free(3) of it ends the process, and what comes from
 * malloc(3) has no mark.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "salvor_many.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/scratch.h"

#define MARK UINT64_C(0x53414c564f522121)
#define MOST 4000000 /* calls of one job that may fail in turn */

struct mark {
	uint64_t mark, n;
};

static struct {
	pthread_mutex_t lock;
	long left; /* calls until one fails; below 0: none does */
	uint64_t calls, blocks, bytes, most, strange;
} memory = { .lock = PTHREAD_MUTEX_INITIALIZER, .left = -1 };

/* Take the block out of the count; where it begins. */
static struct mark *
take_back(void *p)
{
	struct mark *m = (struct mark *)p - 1;

	if (m->mark != MARK)
		memory.strange++;
	m->mark = 0;
	memory.blocks--;
	memory.bytes -= m->n;
	return m;
}

static void
count(struct mark *m, size_t n)
{
	*m = (struct mark){ MARK, n };
	memory.blocks++;
	memory.bytes += n;
	if (memory.bytes > memory.most)
		memory.most = memory.bytes;
}

static void *
resize(void *ctx, void *p, size_t n)
{
	struct mark *m = NULL, old = { 0, 0 };

	pthread_mutex_lock(&memory.lock);
	memory.strange += ctx != &memory || n == 0;
	memory.calls++;
	if (memory.left < 0 || memory.left-- > 0) {
		if (p != NULL)
			old = *(m = take_back(p));
		m = realloc(m, sizeof(*m) + n);
		if (m == NULL)
			abort();
		count(m, n);
		if (n > old.n)
			memset((uint8_t *)(m + 1) + old.n, 0xa5, n - old.n);
	}
	pthread_mutex_unlock(&memory.lock);
	return m != NULL ? m + 1 : NULL;
}

static void
release(void *ctx, void *p)
{
	pthread_mutex_lock(&memory.lock);
	memory.strange += ctx != &memory || p == NULL;
	free(take_back(p));
	pthread_mutex_unlock(&memory.lock);
}

static const struct slv_allocator ours = { sizeof(ours), resize, release,
	&memory };

/* Each has a decoder, a writer or a report of its own. */
static const struct {
	const char *file;
	enum slv_status (*run)(
	    const char *, const struct slv_options *, struct slv_report **);
	const char *output;
} jobs[] = {
	{ "rosbag/good-drive-bz2.bag", slv_verify, NULL },
	{ "rosbag/bad-chunk-hole.bag", slv_repair, "out.bag" },
	{ "rosbag/good-drive-lz4.bag", slv_export, "out.mcap" },
	{ "rosbag/good-drive-none.bag", slv_export, "out.ndjson" },
	{ "rosbag/good-drive-none.bag", slv_extract, "out.bag" },
	{ "cyber/bad-described-package.record", slv_repair, "out.record" },
	{ "../README.md", slv_verify, NULL },
};
#define JOBS (sizeof(jobs) / sizeof(*jobs))

static void
set(struct slv_options *opt, const char *name, const char *value)
{
	struct slv_err err = { .code = SLV_OK };

	CHECK_OK(slv_options_set(opt, name, value, &err), &err);
}

static const char *
testdata(const char *file)
{
	const char *top = getenv("SALVOR_SRCDIR");
	static char path[4096];

	snprintf(path, sizeof(path), "%s/testdata/%s", top != NULL ? top : ".",
	    file);
	return path;
}

/* Run job i, and read its report in every way; its status. */
static enum slv_status
run(size_t i)
{
	struct slv_options *opt = slv_options_new();
	struct slv_err err = { .code = SLV_OK };
	struct slv_report *report = NULL;
	enum slv_status st = SLV_E_NOMEM;

	if (opt != NULL && jobs[i].output != NULL)
		st = slv_options_set(
		    opt, "output", scratch_path(jobs[i].output), &err);
	else if (opt != NULL)
		st = SLV_OK;
	if (st == SLV_OK)
		st = jobs[i].run(testdata(jobs[i].file), opt, &report);
	if (report != NULL) {
		slv_free(slv_report_json(report));
		slv_free(slv_report_text(report, SLV_PAGE_INFO, 80));
		slv_free(slv_report_finding_text(report, 0));
	}
	slv_report_free(report);
	slv_options_free(opt);
	scratch_clean();
	return st;
}

static void
first_of_all(void)
{
	struct slv_allocator half = ours;
	struct slv_options *opt;

	half.release = NULL;
	CHECK(slv_set_allocator(&half) == SLV_E_USAGE);
	CHECK(slv_set_allocator(&ours) == SLV_OK);
	opt = slv_options_new();
	CHECK_U64(memory.blocks, 1);
	set(opt, "output", "x");
	CHECK_U64(memory.blocks, 2);
	/* What was taken must go back to where it came from. */
	CHECK(slv_set_allocator(&ours) == SLV_E_REFUSED);
	slv_options_free(opt);
	CHECK_U64(memory.blocks, 0);
}

static void
all_that_is_taken_goes_back(void)
{
	for (size_t i = 0; i < JOBS; i++) {
		uint64_t before = memory.calls;

		check_case("%s", jobs[i].file);
		CHECK(run(i) == SLV_OK);
		CHECK(memory.calls > before + 10);
		CHECK_U64(memory.blocks, 0);
		CHECK_U64(memory.bytes, 0);
	}
	CHECK_U64(memory.strange, 0);
}

/* Every call, or one in so many, fails once. */
static void
failures_are_told(void)
{
	for (size_t i = 0; i < JOBS; i++) {
		long step = 1;

		for (long k = 0; k < MOST; k += step) {
			enum slv_status st;

			check_case("%s, call %ld", jobs[i].file, k);
			memory.left = k;
			st = run(i);
			CHECK_U64(memory.blocks, 0);
			if (memory.left >= 0)
				break;
			CHECK(st == SLV_OK || st == SLV_E_NOMEM);
			step = 1 + k / 40;
		}
		memory.left = -1;
	}
	CHECK_U64(memory.strange, 0);
}

static CU_TestInfo tests[] = {
	{ "first of all", first_of_all },
	{ "all that is taken goes back", all_that_is_taken_goes_back },
	{ "failures are told", failures_are_told },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "allocator", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	int bad;

	scratch_open();
	bad = slv_test_main(suites);
	scratch_close();
	return bad;
}
