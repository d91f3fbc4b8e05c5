/* test_supply.c - jobs on bytes that are no file of a name: of a function, a descriptor,
 * or memory. */
#include "suites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "salvor.h"
#include "support/check.h"
#include "support/make_bag.h"
#include "support/scratch.h"

typedef enum slv_status job_fn(
    const char *, const struct slv_options *, struct slv_report **);

static const struct bag_recipe recipe = {
	.conns = 2, .chunks = 3, .each = 2, .payload = 100
};

static const struct {
	const char *name;
	job_fn *run;
	const char *to; /* what it writes; NULL: nothing */
} jobs[] = {
	{ "verify", slv_verify, NULL },
	{ "info", slv_info, NULL },
	{ "list", slv_list, NULL },
	{ "repair", slv_repair, "out.bag" },
	{ "extract", slv_extract, "out.bag" },
	{ "export", slv_export, "out.mcap" },
};
#define JOBS (sizeof(jobs) / sizeof(*jobs))

enum way { BY_NAME, BY_CALL, BY_FD, BY_MEMORY, WAYS };

/* What a function supplies. */
struct served {
	const struct blob *bytes;
	size_t bad;      /* offset of a sector that cannot be read; 0: none */
	unsigned closed; /* how often */
	int error;       /* of that sector */
};

static int
serve(void *ctx, uint64_t off, void *buf, size_t n)
{
	const struct served *s = ctx;

	CHECK(off <= s->bytes->n && n <= s->bytes->n - off);
	if (s->bad > 0 && off < s->bad + 512 && off + n > s->bad)
		return s->error;
	memcpy(buf, s->bytes->at + off, n);
	return 0;
}

static void
close_served(void *ctx)
{
	((struct served *)ctx)->closed++;
}

static void
supply(struct slv_options *opt, enum way way, struct served *s, int fd)
{
	const struct slv_input input = { sizeof(input), s->bytes->n, serve,
		close_served, s };

	if (way == BY_CALL)
		slv_options_input_call(opt, &input);
	if (way == BY_FD)
		slv_options_input_fd(opt, fd);
	if (way == BY_MEMORY)
		slv_options_input_memory(opt, s->bytes->at, s->bytes->n);
}

static void
set(struct slv_options *opt, const char *name, const char *value)
{
	struct slv_err err = { .code = SLV_OK };

	CHECK_OK(slv_options_set(opt, name, value, &err), &err);
}

static void
cut_bag(struct blob *out)
{
	struct made_bag bag;

	make_bag(&bag, &recipe);
	blob_add(out, bag.bytes.at, (size_t)bag.index_pos);
	made_bag_free(&bag);
}

/* The report of a job, without what tells runs and machines apart. */
static char *
told_by(struct slv_report *report)
{
	return slv_report_text(report, SLV_PAGE_BRIEF, SLV_TEXT_WIDTH(80));
}

/* Run job i on the bytes; what it says, owned by the caller, and what it wrote. */
static char *
run(size_t i, enum way way, const struct blob *bytes, struct blob *wrote)
{
	struct served s = { .bytes = bytes };
	struct slv_options *opt = slv_options_new();
	int fd = open(scratch_path("in.bag"), O_RDONLY);
	struct slv_report *report;
	struct slv_counts counts = { .size_of = sizeof(counts) };
	char *told;

	/* No byte is read from where the descriptor is. */
	CHECK(lseek(fd, 100, SEEK_SET) == 100);
	supply(opt, way, &s, fd);
	if (jobs[i].to != NULL)
		set(opt, "output", scratch_path(jobs[i].to));
	check_case("%s, way %d", jobs[i].name, way);
	CHECK_OK(jobs[i].run(way == BY_NAME ? scratch_path("in.bag") : "in.bag",
	             opt, &report),
	    slv_report_error(report));
	slv_report_counts(report, &counts);
	CHECK_U64(counts.size, bytes->n);
	told = told_by(report);
	if (jobs[i].to != NULL) {
		blob_read(wrote, scratch_path(jobs[i].to));
		scratch_remove(jobs[i].to);
		scratch_remove("out.bag.salvor.json");
	}
	slv_report_free(report);
	CHECK_U64(s.closed, 0);
	slv_options_free(opt);
	CHECK_U64(s.closed, way == BY_CALL);
	CHECK(close(fd) == 0);
	return told;
}

/* Text after the first line, which has the name of the file. */
static const char *
rest(const char *text)
{
	const char *end = strchr(text, '\n');

	return end != NULL ? end : text;
}

static void
each_job_does_the_same(void)
{
	struct blob cut = { 0 };

	cut_bag(&cut);
	scratch_write("in.bag", cut.at, cut.n);
	for (size_t i = 0; i < JOBS; i++) {
		struct blob want = { 0 };
		char *of_file = run(i, BY_NAME, &cut, &want);

		for (enum way way = BY_CALL; way < WAYS; way++) {
			struct blob got = { 0 };
			char *told = run(i, way, &cut, &got);

			CHECK_BYTES(got.at, got.n, want.at, want.n);
			/* The next command needs a file. */
			if (jobs[i].to != NULL)
				CHECK_STR(rest(told), rest(of_file));
			CHECK(strstr(told, "in.bag: ") == told);
			slv_free(told);
			blob_free(&got);
		}
		CHECK((want.n > 0) == (jobs[i].to != NULL));
		slv_free(of_file);
		blob_free(&want);
	}
	CHECK_U64(scratch_count(""), 1);
	blob_free(&cut);
	scratch_clean();
}

/* Files next to that name are those of another log. */
static void
no_file_of_the_name_counts(void)
{
	struct blob cut = { 0 };

	cut_bag(&cut);
	scratch_write("in.bag", "x", 1);
	for (enum way way = BY_CALL; way <= BY_MEMORY; way += 2) {
		struct served s = { .bytes = &cut };
		struct slv_options *opt = slv_options_new();
		struct slv_report *report;
		struct slv_next next = { .size_of = sizeof(next) };

		supply(opt, way, &s, -1);
		CHECK_OK(slv_verify(scratch_path("in.bag"), opt, &report),
		    slv_report_error(report));
		CHECK(slv_report_state(report) == SLV_STATE_DAMAGED);
		slv_report_next(report, &next);
		CHECK(next.command == NULL);
		slv_report_free(report);
		slv_options_free(opt);
	}
	CHECK(scratch_holds("in.bag", "x", 1));
	blob_free(&cut);
	scratch_clean();
}

static void
bad_sectors_and_failures(void)
{
	static const struct {
		int error;
		enum slv_status status;
	} cases[] = { { EIO, SLV_OK }, { EACCES, SLV_E_IO },
		{ ECANCELED, SLV_E_CANCELLED } };
	struct blob cut = { 0 };

	cut_bag(&cut);
	for (size_t i = 0; i < 3; i++) {
		struct served s = {
			.bytes = &cut, .bad = 1024, .error = cases[i].error
		};
		struct slv_options *opt = slv_options_new();
		struct slv_report *report;

		supply(opt, BY_CALL, &s, -1);
		set(opt, "output", scratch_path("out"));
		check_case("errno %d", cases[i].error);
		CHECK_STATUS(slv_repair("x", opt, &report), cases[i].status,
		    slv_report_error(report));
		CHECK(scratch_has("out") == (cases[i].status == SLV_OK));
		scratch_remove("out");
		scratch_remove("out.salvor.json");
		slv_report_free(report);
		slv_options_free(opt);
	}
	blob_free(&cut);
	scratch_clean();
}

/* What reads other files, or changes one, refuses before it opens anything. */
static void
other_jobs_refuse(void)
{
	const char *two[2] = { "a", "b" };
	struct slv_applied done = { .size_of = sizeof(done) };
	struct slv_options *opt = slv_options_new();
	struct slv_err err = { .code = SLV_OK };
	struct slv_report *report;

	slv_options_input_memory(opt, "hello", 5);
	CHECK_STATUS(slv_repair("x", opt, &report), SLV_E_USAGE, NULL);
	CHECK(strstr(slv_report_error(report)->text, "name") != NULL);
	slv_report_free(report);
	CHECK_STATUS(slv_undo("x", opt, &report), SLV_E_USAGE, NULL);
	slv_report_free(report);
	set(opt, "output", scratch_path("out"));
	CHECK_STATUS(slv_merge(two, 2, opt, &report), SLV_E_USAGE, NULL);
	slv_report_free(report);
	CHECK_STATUS(slv_join(two, 2, opt, &report), SLV_E_USAGE, NULL);
	slv_report_free(report);
	scratch_write("plan", "hello", 5);
	(void)slv_apply(scratch_path("plan"), "x", opt, &done, &err);
	CHECK(err.code != SLV_OK);
	slv_options_free(opt);
	opt = slv_options_new();
	slv_options_input_memory(opt, "hello", 5);
	set(opt, "in-place", NULL);
	CHECK_STATUS(slv_repair("x", opt, &report), SLV_E_USAGE, NULL);
	slv_report_free(report);
	/* Without it, the file counts again. */
	slv_options_input_call(opt, NULL);
	CHECK_STATUS(slv_repair("/", opt, &report), SLV_E_REFUSED, NULL);
	slv_report_free(report);
	slv_options_free(opt);
	scratch_clean();
}

CU_TestInfo supply_tests[] = {
	{ "each job does the same", each_job_does_the_same },
	{ "no file of the name counts", no_file_of_the_name_counts },
	{ "bad sectors and failures", bad_sectors_and_failures },
	{ "other jobs refuse", other_jobs_refuse },
	CU_TEST_INFO_NULL,
};
