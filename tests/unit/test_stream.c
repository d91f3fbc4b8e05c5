/* test_stream.c - outputs that a function or a descriptor takes, and joined logs. */
#include "suites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "options/options.h"
#include "salvor.h"
#include "support/check.h"
#include "support/make_bag.h"
#include "support/scratch.h"

typedef enum slv_status job_fn(
    const char *, const struct slv_options *, struct slv_report **);

/* Messages 0 to 11, a second after each other, of /t0 and /t1 by turns. */
static const struct bag_recipe recipe = {
	.conns = 2, .chunks = 3, .each = 2, .payload = 100
};

static enum slv_status export(
    const char *file, const struct slv_options *opt, struct slv_report **out) {
	struct slv_options how = *opt;

	how.to = "mcap";
	return slv_export(file, &how, out);
}

/* Both halves of the bag. */
static enum slv_status
join(const char *file, const struct slv_options *opt, struct slv_report **out)
{
	const char *both[2] = { scratch_path("b.bag"), scratch_path("a.bag") };

	(void)file;
	return slv_join(both, 2, opt, out);
}

static enum slv_status
merge(const char *file, const struct slv_options *opt, struct slv_report **out)
{
	const char *both[2] = { file, scratch_path("copy.bag") };

	return slv_merge(both, 2, opt, out);
}

static const struct {
	const char *name;
	job_fn *run;
} jobs[] = {
	{ "repair", slv_repair },
	{ "extract", slv_extract },
	{ "export", export },
	{ "merge", merge },
	{ "join", join },
};
#define JOBS (sizeof(jobs) / sizeof(*jobs))

static void
take_half(const char *name, const char *start, const char *end)
{
	const struct slv_options opt = {
		.output = scratch_path(name),
		.choice = { .start = start, .end = end },
	};
	struct slv_report *report;

	CHECK_OK(slv_extract(scratch_path("in.bag"), &opt, &report), NULL);
	slv_report_free(report);
}

/* A bag without its end, a copy that has it, and both halves. */
static void
open_files(void)
{
	struct made_bag bag;

	make_bag(&bag, &recipe);
	scratch_write("copy.bag", bag.bytes.at, bag.bytes.n);
	scratch_write("in.bag", bag.bytes.at, (size_t)bag.index_pos);
	made_bag_free(&bag);
	take_half("a.bag", "+0s", "+6s");
	take_half("b.bag", "+6s", "+99s");
}

/* What the job writes to a file. */
static void
write_file(job_fn *job, struct blob *out)
{
	const struct slv_options opt = { .output = scratch_path("out"),
		.no_sidecar = true };
	struct slv_report *report;

	CHECK_OK(job(scratch_path("in.bag"), &opt, &report),
	    slv_report_error(report));
	slv_report_free(report);
	blob_read(out, scratch_path("out"));
	scratch_remove("out");
}

/* Takes so many bytes, then fails. */
struct taker {
	struct blob got; /* owned */
	size_t most;
};

static int
take(void *ctx, const void *bytes, size_t n)
{
	struct taker *t = ctx;

	if (n > t->most - t->got.n)
		return EPIPE;
	blob_add(&t->got, bytes, n);
	return 0;
}

static struct slv_options *
options_to(struct taker *t)
{
	const struct slv_outlet outlet = { sizeof(outlet), take, t };
	struct slv_options *opt = slv_options_new();

	slv_options_output_call(opt, &outlet);
	return opt;
}

static void
functions_take_the_output(void)
{
	open_files();
	for (size_t i = 0; i < JOBS; i++) {
		struct taker t = { .most = SIZE_MAX };
		struct slv_options *opt = options_to(&t);
		struct slv_report *report;
		struct blob want = { 0 };

		write_file(jobs[i].run, &want);
		CHECK(want.n > 0);
		CHECK_OK(jobs[i].run(scratch_path("in.bag"), opt, &report),
		    slv_report_error(report));
		CHECK_BYTES(t.got.at, t.got.n, want.at, want.n);
		slv_report_free(report);
		slv_options_free(opt);
		blob_free(&t.got);
		blob_free(&want);
	}
	CHECK_U64(scratch_count(""), 4);
	scratch_clean();
}

/* It says why, and nothing follows. */
static void
functions_may_fail(void)
{
	open_files();
	for (size_t i = 0; i < JOBS; i++) {
		for (size_t most = 0; most < 1400; most += 700) {
			struct taker t = { .most = most };
			struct slv_options *opt = options_to(&t);
			struct slv_report *report;
			const struct slv_err *err;

			CHECK_STATUS(
			    jobs[i].run(scratch_path("in.bag"), opt, &report),
			    SLV_E_IO, NULL);
			err = slv_report_error(report);
			CHECK_U64((uint64_t)err->os, EPIPE);
			CHECK(strstr(err->text, "(output)") != NULL);
			slv_report_free(report);
			slv_options_free(opt);
			blob_free(&t.got);
		}
	}
	CHECK_U64(scratch_count(""), 4);
	scratch_clean();
}

static void
descriptors_take_the_output(void)
{
	open_files();
	for (size_t i = 0; i < JOBS; i++) {
		struct slv_options *opt = slv_options_new();
		struct slv_report *report;
		struct blob want = { 0 };
		int fd;

		write_file(jobs[i].run, &want);
		fd = open(
		    scratch_path("there"), O_RDWR | O_CREAT | O_TRUNC, 0600);
		CHECK(write(fd, "x", 1) == 1);
		slv_options_output_fd(opt, fd);
		CHECK_OK(jobs[i].run(scratch_path("in.bag"), opt, &report),
		    slv_report_error(report));
		slv_report_free(report);
		slv_options_free(opt);
		/* It is open still, and what was there is. */
		CHECK(write(fd, "y", 1) == 1);
		CHECK(close(fd) == 0);
		{
			struct blob got = { 0 };

			blob_read(&got, scratch_path("there"));
			CHECK_U64(got.n, want.n + 2);
			CHECK_BYTES(got.at + 1, got.n - 2, want.at, want.n);
			blob_free(&got);
		}
		scratch_remove("there");
		blob_free(&want);
	}
	scratch_clean();
}

/* A log that is the output, too, would be read while it is written. */
static void
the_input_is_no_output(void)
{
	open_files();
	for (size_t i = 0; i < JOBS; i++) {
		const char *own =
		    scratch_path(jobs[i].run == join ? "b.bag" : "in.bag");
		struct slv_options *opt = slv_options_new();
		struct slv_report *report;
		struct blob before = { 0 };
		int fd = open(own, O_RDWR | O_APPEND);

		blob_read(&before, own);
		slv_options_output_fd(opt, fd);
		CHECK(jobs[i].run(scratch_path("in.bag"), opt, &report)
		    != SLV_OK);
		CHECK(close(fd) == 0);
		slv_report_free(report);
		slv_options_free(opt);
		CHECK(
		    scratch_holds(strrchr(own, '/') + 1, before.at, before.n));
		blob_free(&before);
	}
	scratch_clean();
}

static long left;

static bool
allow(size_t size)
{
	(void)size;
	return left-- != 0;
}

/* A failure leaves no output, and no memory.  Some can be done without. */
static void
every_allocation_of_a_join_fails_once(void)
{
	long k = 0;

	open_files();
	do {
		struct slv_options opt = { .output = scratch_path("out") };
		struct slv_report *report = NULL;
		enum slv_status st;

		left = k++;
		slv_mem_hook = allow;
		st = join(NULL, &opt, &report);
		slv_mem_hook = NULL;
		CHECK(st == SLV_OK || st == SLV_E_NOMEM);
		CHECK(scratch_has("out") == (st == SLV_OK));
		scratch_remove("out");
		slv_report_free(report);
	} while (left < 0 && k < 100000);
	CHECK(k > 100);
	scratch_clean();
}

CU_TestInfo stream_tests[] = {
	{ "functions take the output", functions_take_the_output },
	{ "functions may fail", functions_may_fail },
	{ "descriptors take the output", descriptors_take_the_output },
	{ "the input is no output", the_input_is_no_output },
	{ "every allocation of a join fails once",
	    every_allocation_of_a_join_fails_once },
	CU_TEST_INFO_NULL,
};
