/* test_active.c - a log that somebody is writing is not judged. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "options/options.h"
#include "salvor.h"
#include "salvor_read.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/make_bddf.h"
#include "support/scratch.h"
#include "support/testdata.h"
#include "unit/suites.h"

typedef enum slv_status job_fn(
    const char *, const struct slv_options *, struct slv_report **);

/* What a job says of in.bddf, and what is said of it in public. */
struct said {
	enum slv_status status;
	enum slv_state state;
	char *text, *json;
};

static void
said_free(struct said *s)
{
	free(s->text);
	free(s->json);
}

/* Write a log that lacks its end, as one does while it is recorded. */
static void
write_cut_log(void)
{
	struct recipe recipe = { .series = 2, .blocks = 6, .most = 99 };
	struct made_log log = { 0 };

	make_bddf(&log, &recipe, NULL);
	scratch_clean();
	scratch_write("in.bddf", log.bytes.at, log.bytes.n - 60);
	made_free(&log);
}

static struct said
say(job_fn *job, const struct fake_plan *plan)
{
	static const struct fake_plan none = { 0 };
	struct slv_options opt = { .output = NULL };
	struct slv_report *r = NULL;
	struct said s;

	fake_on(plan != NULL ? plan : &none);
	s.status = job(scratch_path("in.bddf"), &opt, &r);
	fake_off(NULL);
	s.state = slv_report_state(r);
	s.text =
	    slv_report_text(r, job == slv_info ? SLV_PAGE_INFO : SLV_PAGE_PLAN,
	        SLV_TEXT_WIDTH(1000));
	s.json = slv_report_json(r);
	slv_report_free(r);
	return s;
}

/* Neither damaged nor repaired; with a cause, or only described. */
static void
check_active(struct said *s, const char *cause)
{
	CHECK_STATUS(s->status, cause != NULL ? SLV_E_ACTIVE : SLV_OK, NULL);
	CHECK_NAME(slv_state_name, s->state, SLV_STATE_ACTIVE);
	CHECK(strstr(s->text, "ACTIVE") != NULL);
	CHECK(strstr(s->text, "DAMAGED") == NULL);
	CHECK(strstr(s->text, "[bddf.") == NULL);
	CHECK(cause == NULL || strstr(s->text, cause) != NULL);
	CHECK(strstr(s->json, "\"state\":\"active\"") != NULL);
	CHECK(strstr(s->json, "\"advice\":\"Run salvor again") != NULL);
	CHECK(strstr(s->json, "\"problems\":[]") != NULL);
	CHECK(strstr(s->json, "\"assurance\":\"none\"") != NULL);
	CHECK(strstr(s->json, "\"repairable\":true") == NULL);
	CHECK((strstr(s->json, "\"code\":\"active\"") != NULL)
	    == (cause != NULL));
	CHECK_U64(scratch_count(""), 1);
	said_free(s);
}

/* The lease is asked for with the second fcntl. */
static void
open_for_writing(void)
{
	struct fake_plan plan = {
		.k = 2,
		.calls = FAKE_BIT(FAKE_FCNTL),
		.os = EAGAIN,
	};
	struct said s;

	write_cut_log();
	s = say(slv_verify, &plan);
	check_active(&s, ": somebody has it open for writing");
	s = say(slv_repair, &plan);
	check_active(&s, ": somebody has it open for writing");
	s = say(slv_info, &plan);
	check_active(&s, NULL);
	s = say(slv_list, &plan);
	check_active(&s, NULL);
	scratch_clean();
}

/* Where the system does not tell, it is judged as any other. */
static void
nobody_can_tell(void)
{
	static const int refusals[] = { EACCES, EINVAL, ENOLCK, ENOSYS };
	struct fake_plan plan = { .calls = FAKE_BIT(FAKE_FCNTL) };

	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		for (plan.k = 1; plan.k <= 3; plan.k++) {
			struct said s;

			check_case("call %u, errno %d", plan.k, refusals[i]);
			plan.os = refusals[i];
			write_cut_log();
			s = say(slv_verify, &plan);
			CHECK_NAME(slv_state_name, s.state, SLV_STATE_DAMAGED);
			said_free(&s);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

/* One byte more at each read in turn, as a recorder adds them. */
static void
growing(void)
{
	struct fake_plan plan = {
		.calls = FAKE_BIT(FAKE_PREAD),
		.how = FAKE_GROW,
	};

	for (plan.k = 1; plan.k <= 2; plan.k++) {
		struct said s;

		check_case("read %u", plan.k);
		write_cut_log();
		plan.grown = scratch_path("in.bddf");
		s = say(slv_verify, &plan);
		check_active(&s, ": changed while it was read");
		write_cut_log();
		plan.grown = scratch_path("in.bddf");
		s = say(slv_repair, &plan);
		check_active(&s, ": changed while it was read");
		write_cut_log();
		plan.grown = scratch_path("in.bddf");
		s = say(slv_info, &plan);
		check_active(&s, NULL);
	}
	check_case("%s", "");
	scratch_clean();
}

static const struct timespec long_ago[2] = { { 1700000000, 0 },
	{ 1700000000, 0 } };

/* Wait until the clock of the file system has gone on since the log was written. */
static void
await_tick(void)
{
	static const struct timespec soon = { .tv_nsec = 500000 };
	struct stat is, now;

	CHECK(stat(scratch_path("in.bddf"), &is) == 0);
	do {
		nanosleep(&soon, NULL);
		scratch_write("tick", (const uint8_t *)"", 1);
		CHECK(stat(scratch_path("tick"), &now) == 0);
		CHECK(unlink(scratch_path("tick")) == 0);
	} while (now.st_ctim.tv_sec == is.st_ctim.tv_sec
	    && now.st_ctim.tv_nsec == is.st_ctim.tv_nsec);
}

/* Write a log that is old, with a few other bytes in two places. */
static void
write_old(const char *name)
{
	enum { FEW = 20 };

	struct blob file = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/testdata/%s", check_top(), name);
	CHECK(blob_read(&file, path));
	for (size_t i = 0; i < FEW; i++) {
		file.at[file.n / 8 * 3 + i] ^= 0x5a;
		file.at[file.n / 8 * 5 + i] ^= 0x5a;
	}
	scratch_clean();
	scratch_write("in.bddf", file.at, file.n);
	CHECK(utimensat(AT_FDCWD, scratch_path("in.bddf"), long_ago, 0) == 0);
	blob_free(&file);
}

/* Most of a log is overwritten at each read in turn: what was read before does
 * not fit any more, and that is nobody's fault but the writer's. */
static void
spoilt(void)
{
	static const char *const names[] = {
		"bddf/good-tiny.bddf",
		"rosbag/good-tiny-bz2.bag",
		"rosbag/good-drive-lz4.bag",
		"rosbag/good-drive-none.bag",
		"cyber/bad-cut-message.record",
		"cyber/bad-body-zero.record",
		"carla/bad-cut-between.log",
	};
	struct fake_plan plan = {
		.calls = FAKE_BIT(FAKE_PREAD),
		.how = FAKE_SPOIL,
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fake_result result = { .fired = 1 };

		for (plan.k = 1; result.fired > 0; plan.k++) {
			struct slv_options opt = { .no_effort = true };
			struct slv_report *r = NULL;

			if (!testdata_takes())
				continue;
			check_case("%s, read %u", names[i], plan.k);
			write_old(names[i]);
			plan.grown = scratch_path("in.bddf");
			fake_on(&plan);
			slv_repair(scratch_path("in.bddf"), &opt, &r);
			fake_off(&result);
			CHECK_STATUS(slv_report_status(r),
			    result.fired > 0 ? SLV_E_ACTIVE : SLV_OK, NULL);
			CHECK(result.fired == 0 || scratch_count("") == 1);
			slv_report_free(r);
		}
	}
	check_case("%s", "");
	scratch_clean();
}

/* As `spoilt`, by a user who sets the time of the log back. */
static void
spoil_in_secret(const void *ctx)
{
	struct blob file = { 0 };
	int fd = open(ctx, O_RDWR | O_CLOEXEC);

	CHECK(blob_read(&file, ctx));
	for (size_t i = file.n / 8; i < file.n; i++)
		file.at[i] ^= 0x5a;
	CHECK(fd >= 0 && pwrite(fd, file.at, file.n, 0) == (ssize_t)file.n
	    && futimens(fd, long_ago) == 0 && close(fd) == 0);
	blob_free(&file);
}

/* Read all records. */
static enum slv_status
read_all(const char *file, const struct slv_options *opt, struct slv_report **r)
{
	struct slv_reader *reader = NULL;
	struct slv_log *log;
	enum slv_status st;

	*r = NULL;
	(void)slv_log_open(file, opt, &log);
	if (slv_reader_open(log, &reader) == SLV_OK) {
		while (slv_reader_next(reader) != NULL)
			continue;
	}
	st = slv_log_status(log);
	CHECK(st == SLV_OK || slv_log_error(log)[0] != '\0');
	slv_reader_close(reader);
	slv_log_close(log);
	return st;
}

/* Whatever is made of such a log, it is no mistake of this program. */
static void
spoilt_in_secret(void)
{
	static const char *const names[] = {
		"bddf/bad-cut-between.bddf",
		"rosbag/good-drive-lz4.bag",
		"cyber/bad-cut-message.record",
		"carla/bad-cut-between.log",
		"mcap/bad-cut-chunk-end.mcap",
		"ulog/bad-cut-definitions.ulg",
		"dataflash/bad-cut-format.bin",
	};
	static job_fn *const jobs[] = { slv_verify, slv_repair, slv_export,
		slv_extract, read_all };
	struct fake_plan plan = {
		.calls = FAKE_BIT(FAKE_PREAD),
		.how = FAKE_ACT,
		.act = spoil_in_secret,
	};
	unsigned active = 0;

	for (size_t i = 0; i < sizeof(names) * 5 / sizeof(*names); i++) {
		struct fake_result result = { .fired = 1 };

		for (plan.k = 1; result.fired > 0; plan.k++) {
			struct slv_options opt = {
				.no_effort = true,
				.dry_run = true,
				.output = i / 5 == 1 ? "out.mcap" : "out.log",
				.to = "mcap",
			};
			struct slv_report *r = NULL;
			enum slv_status st;

			if (!testdata_takes())
				continue;
			check_case("%s, job %zu, read %u", names[i / 5], i % 5,
			    plan.k);
			write_old(names[i / 5]);
			await_tick();
			plan.act_ctx = scratch_path("in.bddf");
			fake_on(&plan);
			st = jobs[i % 5](scratch_path("in.bddf"), &opt, &r);
			fake_off(&result);
			CHECK(st != SLV_E_BUG);
			active += st == SLV_E_ACTIVE;
			slv_report_free(r);
		}
	}
	check_case("%s", "");
	CHECK(active > 0);
	scratch_clean();
}

/* The time of the log is set back, as after a change. */
static void
set_back(const void *ctx)
{
	CHECK(utimensat(AT_FDCWD, ctx, long_ago, 0) == 0);
}

/* What was read before such a change may have been written otherwise: a job counts on it
 * that does not read all again, or that is about to change the log itself. */
static void
set_back_in_secret(void)
{
	static const struct {
		const char *name;
		job_fn *job;
		bool in_place;
		enum slv_status status;
	} cases[] = {
		{ "mcap/bad-cut-chunk-end.mcap", slv_repair, false,
		    SLV_E_ACTIVE },
		{ "mcap/bad-cut-chunk-end.mcap", slv_repair, true,
		    SLV_E_ACTIVE },
		{ "rosbag/bad-cut-index.bag", slv_repair, true, SLV_E_ACTIVE },
		{ "mcap/bad-cut-chunk-end.mcap", slv_verify, false, SLV_OK },
	};
	struct fake_plan plan = {
		.k = 1,
		.calls = FAKE_BIT(FAKE_PREAD),
		.how = FAKE_ACT,
		.act = set_back,
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct slv_options opt = { .in_place = cases[i].in_place };
		struct slv_report *r = NULL;
		struct blob file = { 0 };
		char path[4096];

		check_case("%s, %zu", cases[i].name, i);
		snprintf(path, sizeof(path), "%s/testdata/%s", check_top(),
		    cases[i].name);
		CHECK(blob_read(&file, path));
		scratch_clean();
		scratch_write("in.bddf", file.at, file.n);
		set_back(scratch_path("in.bddf"));
		await_tick();
		plan.act_ctx = scratch_path("in.bddf");
		fake_on(&plan);
		CHECK_STATUS(cases[i].job(scratch_path("in.bddf"), &opt, &r),
		    cases[i].status, NULL);
		fake_off(NULL);
		CHECK(scratch_holds("in.bddf", file.at, file.n));
		CHECK_U64(scratch_count(""), 1);
		slv_report_free(r);
		blob_free(&file);
	}
	check_case("%s", "");
	scratch_clean();
}

/* Whether leases work on the file system of the tests. */
static bool
leases_work(void)
{
	int fd = open(scratch_path("in.bddf"), O_RDONLY | O_CLOEXEC);
	bool work = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;

	close(fd);
	return work;
}

/* A process that holds in.bddf open; *gate is closed to end it. */
static pid_t
hold_open(int flags, int *gate)
{
	int go[2], ready[2];
	char byte = 0;
	pid_t child;

	CHECK(pipe(go) == 0 && pipe(ready) == 0);
	child = fork();
	if (child == 0) {
		int fd = open(scratch_path("in.bddf"), flags);

		close(go[1]);
		_exit(fd < 0 || write(ready[1], &byte, 1) != 1
		    || read(go[0], &byte, 1) != 0);
	}
	close(go[0]);
	close(ready[1]);
	CHECK(child > 0 && read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	*gate = go[1];
	return child;
}

static void
let_go(pid_t child, int gate)
{
	int how = 1;

	close(gate);
	CHECK(waitpid(child, &how, 0) == child && how == 0);
}

static void
real_processes(void)
{
	struct said s;
	pid_t child;
	int gate;

	write_cut_log();
	if (!leases_work()) {
		scratch_clean();
		return;
	}
	child = hold_open(O_WRONLY | O_APPEND, &gate);
	s = say(slv_repair, NULL);
	check_active(&s, "open for writing");
	let_go(child, gate);
	/* A reader is nobody to wait for. */
	child = hold_open(O_RDONLY, &gate);
	s = say(slv_verify, NULL);
	CHECK_NAME(slv_state_name, s.state, SLV_STATE_DAMAGED);
	said_free(&s);
	let_go(child, gate);
	scratch_clean();
}

CU_TestInfo active_tests[] = {
	{ "open for writing", open_for_writing },
	{ "nobody can tell", nobody_can_tell },
	{ "growing", growing },
	{ "spoilt", spoilt },
	{ "spoilt in secret", spoilt_in_secret },
	{ "set back in secret", set_back_in_secret },
	{ "real processes", real_processes },
	CU_TEST_INFO_NULL,
};
