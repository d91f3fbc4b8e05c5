/* faults.c - the jobs that the fault tests run, and what they run on. */
#include "faults/faults.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/sys.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/make_bddf.h"
#include "support/repair.h"
#include "support/scratch.h"

#define PATH 4096 /* bytes of a name */

/* The name of a file that is beside another. */
static void
beside(char path[PATH], const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');

	snprintf(path, PATH, "%.*s/%s", (int)(slash - file), file, name);
}

/* A job of two files. */
static enum slv_status
merge(const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct slv_options how = *opt;
	char copy[PATH], fill[PATH];
	const char *both[2] = { file, copy };

	beside(copy, file, "in2.bddf");
	beside(fill, file, "donor.bddf");
	if (opt->fill != NULL)
		how.fill = fill;
	return slv_merge(both, 2, &how, out);
}

/* A job whose output is no log of the format. */
static enum slv_status export(
    const char *file, const struct slv_options *opt, struct slv_report **out) {
	struct slv_options how = *opt;

	how.to = "mcap";
	return slv_export(file, &how, out);
}

/* A job that has no report. */
static enum slv_status
apply(const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct slv_applied done = { .size_of = sizeof(done) };
	struct slv_err err = { 0 };
	char plan[PATH];

	*out = NULL;
	beside(plan, file, "plan");
	slv_apply(plan, file, opt, &done, &err);
	CHECK(err.code == SLV_OK || err.text[0] != '\0');
	return err.code;
}

/* Records of the second half. */
#define SOME                                                                   \
	{                                                                      \
		.choice = {.start = "+0.01s" }                                 \
	}
#define SOME_BY_FORCE                                                          \
	{                                                                      \
		.force = true, .choice = {.start = "+0.01s" }                  \
	}

const struct job jobs[] = {
	{ "repair, cut", slv_repair, { 0 }, CUT, FREE, PLAIN },
	{ "repair, no index", slv_repair, { 0 }, NO_INDEX, FREE, PLAIN },
	{ "repair, intact", slv_repair, { 0 }, INTACT, FREE, PLAIN },
	{ "repair, replacing", slv_repair, { .force = true }, CUT, OLD, PLAIN },
	{ "repair, done before", slv_repair, { 0 }, CUT, DONE, PLAIN },
	{ "repair, rereading", slv_repair, { .verify_written = true }, CUT,
	    FREE, PLAIN },
	{ "repair, hashing", slv_repair, { .sha256 = true }, CUT, FREE, PLAIN },
	{ "repair, linked", slv_repair, { .force = true }, CUT, OLD, LINKED },
	{ "repair, annotating", slv_repair, { .annotate = true }, CUT, FREE,
	    PLAIN },
	{ "repair, piped", slv_repair, { 0 }, CUT, FREE, PIPED },
	{ "repair, saving", slv_repair, { 0 }, CUT, FREE, SAVING },
	{ "repair, splitting", slv_repair, { .split = true }, MIXED, FREE,
	    PLAIN },
	{ "dry run", slv_repair, { .dry_run = true }, CUT, FREE, PLAIN },
	{ "verify", slv_verify, { 0 }, CUT, NO_TARGET, PLAIN },
	{ "verify, piped", slv_verify, { 0 }, CUT, NO_TARGET, PIPED },
	{ "verify, mapped", slv_verify, { 0 }, CUT, NO_TARGET, MAPPED },
	{ "info", slv_info, { 0 }, CUT, NO_TARGET, PLAIN },
	{ "export", export, { 0 }, CUT, FREE, EXPORTING },
	{ "export, replacing", export, { .force = true }, CUT, OLD, EXPORTING },
	{ "export, done before", export, { 0 }, CUT, DONE, EXPORTING },
	{ "extract", slv_extract, SOME, CUT, FREE, EXTRACTING },
	{ "extract, replacing", slv_extract, SOME_BY_FORCE, CUT, OLD,
	    EXTRACTING },
	{ "extract, done before", slv_extract, SOME, CUT, DONE, EXTRACTING },
	{ "repair, served", slv_repair, { 0 }, CUT, FREE, SERVED },
	{ "verify, served", slv_verify, { 0 }, CUT, NO_TARGET, SERVED },
	{ "apply", apply, { 0 }, CUT, FREE, APPLYING },
	{ "apply, replacing", apply, { .force = true }, CUT, OLD, APPLYING },
	{ "apply, done before", apply, { 0 }, CUT, DONE, APPLYING },
	{ "merge", merge, { 0 }, COPY, FREE, MERGING },
	{ "merge, in doubt", merge, { 0 }, DOUBT, FREE, DOUBTING },
	{ "merge, filling", merge, { 0 }, COPY, FREE, FILLING },
};
const size_t n_jobs = sizeof(jobs) / sizeof(*jobs);

static struct blob inputs[6], outputs[6], other, doubted, donor, annotated,
    exported, extracted, plan;

/* What a job makes of the cut log. */
static void
make_output(struct blob *out,
    enum slv_status (*call)(
        const char *, const struct slv_options *, struct slv_report **),
    struct slv_options opt)
{
	struct slv_report *report = NULL;

	scratch_write("in.bddf", inputs[CUT].at, inputs[CUT].n);
	opt.no_sidecar = true;
	opt.output = scratch_path("out");
	call(scratch_path("in.bddf"), &opt, &report);
	slv_report_free(report);
	blob_read(out, scratch_path("out"));
	scratch_clean();
}

/* What is made of two copies that contradict each other. */
static void
make_doubted(const struct made_log *log)
{
	struct slv_report *report = NULL;
	struct slv_options opt = { .no_sidecar = true };
	char path[PATH];
	size_t at = log->blocks[10].payload;

	blob_set(&inputs[DOUBT], log->bytes.at, log->bytes.n);
	blob_set(&doubted, log->bytes.at, log->bytes.n);
	inputs[DOUBT].at[at] ^= 1;
	doubted.at[at] ^= 2;
	scratch_write("in.bddf", inputs[DOUBT].at, inputs[DOUBT].n);
	scratch_write("in2.bddf", doubted.at, doubted.n);
	snprintf(path, sizeof(path), "%s", scratch_path("out"));
	opt.output = path;
	merge(scratch_path("in.bddf"), &opt, &report);
	slv_report_free(report);
	blob_read(&outputs[DOUBT], path);
	scratch_clean();
}

/* The plan that makes it. */
static void
make_plan(struct blob *out)
{
	struct slv_report *report = NULL;
	struct slv_options opt = { .dry_run = true };
	char path[PATH];

	scratch_write("in.bddf", inputs[CUT].at, inputs[CUT].n);
	snprintf(path, sizeof(path), "%s", scratch_path("plan"));
	opt.plan_out = path;
	slv_repair(scratch_path("in.bddf"), &opt, &report);
	slv_report_free(report);
	blob_read(out, path);
	scratch_clean();
}

static void
jobs_open(void)
{
	struct recipe recipe = {
		.series = 4,
		.late = 1,
		.idle = true,
		.blocks = 12,
		.most = 900,
		.keys = 1,
		.extras = 2,
		.annotated = true,
		.seed = 77,
	};
	struct made_log log = { 0 };
	size_t cut, n, off;

	make_bddf(&log, &recipe, NULL);
	n = log.bytes.n;
	cut = made_data_end(&log);
	blob_set(&inputs[INTACT], log.bytes.at, n);
	blob_set(&inputs[NO_INDEX], log.bytes.at, cut);
	blob_set(&inputs[CUT], log.bytes.at, cut - 3);
	blob_set(&inputs[COPY], log.bytes.at, cut - 3);
	off = log.blocks[10].off;
	damage_overwrite(&other, log.bytes.at, n, off, 100, WINDOW_ZERO, 0);
	/* A stretch twice, and another log after. */
	damage_repeat(&inputs[MIXED], log.bytes.at, cut, cut / 2, cut / 3);
	blob_add(&inputs[MIXED], log.bytes.at, n);
	for (int i = 0; i < COPY; i++) {
		struct repaired r = { 0 };

		repair_memory(&r, inputs[i].at, inputs[i].n, 0);
		blob_set(&outputs[i], r.out.at, r.out.n);
		repaired_free(&r);
	}
	blob_set(&outputs[COPY], log.bytes.at, n);
	make_doubted(&log);
	recipe.again = true;
	recipe.idle = false;
	make_bddf(&log, &recipe, NULL);
	blob_set(&donor, log.bytes.at, log.bytes.n);
	made_free(&log);
	make_output(
	    &annotated, slv_repair, (struct slv_options){ .annotate = true });
	make_output(&exported, export, (struct slv_options){ 0 });
	make_output(&extracted, slv_extract, (struct slv_options)SOME);
	make_plan(&plan);
}

static void
jobs_close(void)
{
	for (int i = 0; i <= DOUBT; i++) {
		blob_free(&inputs[i]);
		blob_free(&outputs[i]);
	}
	blob_free(&annotated);
	blob_free(&exported);
	blob_free(&extracted);
	blob_free(&plan);
	blob_free(&other);
	blob_free(&doubted);
	blob_free(&donor);
}

const struct blob *
job_input(const struct job *job)
{
	return &inputs[job->input];
}

const struct blob *
job_output(const struct job *job)
{
	if (job->opt.annotate)
		return &annotated;
	if (job->way == EXPORTING)
		return &exported;
	return job->way == EXTRACTING ? &extracted : &outputs[job->input];
}

/* What ddrescue says of "in": the sector at 0x400 is bad. */
static const char domain[] = "# Mapfile\n0x400 +\n0 0x400 +\n"
                             "0x400 0x200 -\n0x600 0x10000 +\n";

void
job_prepare(const struct job *job)
{
	scratch_clean();
	scratch_write("in.bddf", job_input(job)->at, job_input(job)->n);
	/* Where the file system has attributes. */
	(void)!setxattr(scratch_path("in.bddf"), "user.salvor", "x", 1, 0);
	if (job->way == LINKED)
		CHECK(symlink("out", scratch_path("link")) == 0);
	if (job->way == MAPPED)
		scratch_write("domain", domain, sizeof(domain) - 1);
	if (job->way == MERGING || job->way == FILLING)
		scratch_write("in2.bddf", other.at, other.n);
	if (job->way == DOUBTING)
		scratch_write("in2.bddf", doubted.at, doubted.n);
	if (job->way == FILLING)
		scratch_write("donor.bddf", donor.at, donor.n);
	if (job->way == APPLYING)
		scratch_write("plan", plan.at, plan.n);
	if (job->target == OLD)
		scratch_write("out", "old", 3);
	if (job->target == DONE)
		scratch_write("out", job_output(job)->at, job_output(job)->n);
}

/* What --read-helper is to the library. */
static int
serve(void *ctx, uint64_t off, void *buf, size_t n)
{
	uint8_t *to = buf;

	while (n > 0) {
		ssize_t got = slv_sys.pread(*(int *)ctx, to, n, (off_t)off);

		if (got < 0 && errno != EINTR)
			return errno;
		if (got == 0)
			return EIO;
		to += got > 0 ? got : 0;
		off += got > 0 ? (uint64_t)got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static enum slv_status
run_served(
    const struct job *job, struct slv_options *opt, struct slv_report **out)
{
	const char *path = scratch_path("in.bddf");
	int fd = slv_sys.open(AT_FDCWD, path, O_RDONLY, 0);
	struct slv_input input = { sizeof(input), job_input(job)->n, serve,
		NULL, &fd };
	enum slv_status st;

	/* That this fails is no failure of the job. */
	if (fd < 0)
		fd = open(path, O_RDONLY);
	slv_options_input_call(opt, &input);
	st = job->call("in.bddf", opt, out);
	close(fd);
	return st;
}

/* Put the input, which is small, into a pipe, and that where standard input
 * was. */
static void
open_pipe(const struct job *job)
{
	const struct blob *in = job_input(job);
	int ends[2];

	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], in->at, in->n) == (ssize_t)in->n);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
}

enum slv_status
job_run(const struct job *job, struct slv_report **out)
{
	struct slv_options opt = job->opt;
	enum slv_status st;
	int saved = -1;

	if (job->target != NO_TARGET)
		opt.output = scratch_path(job->way == LINKED ? "link" : "out");
	opt.temp_dir = scratch_path(".");
	if (job->way == SAVING)
		opt.save_dropped = opt.temp_dir;
	if (job->way == MAPPED) {
		opt.mapfile = scratch_path("map");
		opt.domain_mapfile = scratch_path("domain");
	}
	if (job->way == FILLING)
		opt.fill = "donor.bddf";
	if (job->way == SERVED)
		return run_served(job, &opt, out);
	if (job->way != PIPED)
		return job->call(scratch_path("in.bddf"), &opt, out);
	saved = dup(STDIN_FILENO);
	open_pipe(job);
	st = job->call("-", &opt, out);
	dup2(saved, STDIN_FILENO);
	close(saved);
	return st;
}

bool
target_is_old(const struct job *job)
{
	switch (job->target) {
	case NO_TARGET:
	case FREE: return !scratch_has("out");
	case OLD: return scratch_holds("out", "old", 3);
	case DONE: return target_is_complete(job);
	}
	return false;
}

bool
target_is_complete(const struct job *job)
{
	return scratch_holds("out", job_output(job)->at, job_output(job)->n);
}

bool
target_is_told(const struct job *job)
{
	return job->input != CUT || job->target == NO_TARGET
	    || job->way == EXPORTING || !target_is_complete(job)
	    || scratch_has("out.salvor.json");
}

static unsigned
every(void)
{
	const char *n = getenv("SALVOR_EVERY");

	return n != NULL && atoi(n) > 1 ? (unsigned)atoi(n) : 1;
}

unsigned
fault_first(void)
{
	static unsigned dice = 1;

	dice = dice * 1103515245u + 12345u;
	return 1 + (dice >> 16) % every();
}

unsigned
fault_next(unsigned k)
{
	return k + every();
}

int
faults_main(CU_SuiteInfo *suites)
{
	int r;

	scratch_in_memory();
	scratch_open();
	jobs_open();
	r = slv_test_main(suites);
	jobs_close();
	scratch_close();
	return r;
}
