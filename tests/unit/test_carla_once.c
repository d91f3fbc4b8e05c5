/* test_carla_once.c - each byte of a CARLA log is read once, and the copy of one
 * that was cut is written once. */
#include "suites.h"

#include "io/sys.h"
#include "options/options.h"
#include "salvor.h"
#include "support/check.h"
#include "support/make_carla.h"
#include "support/scratch.h"

/* Bytes that are read again: by which frames are got to know, and at the
 * end. */
#define SLACK ((uint64_t)12 << 20)

static uint64_t bytes_read, bytes_written;
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);

static ssize_t
counting_pread(int fd, void *buf, size_t n, off_t off)
{
	ssize_t got = real_pread(fd, buf, n, off);

	bytes_read += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* May be called by the other thread, but by no two at once. */
static ssize_t
counting_write(int fd, const void *buf, size_t n)
{
	ssize_t done = real_write(fd, buf, n);

	bytes_written += done > 0 ? (uint64_t)done : 0;
	return done;
}

static void
begin(const struct made_carla *log, size_t n)
{
	scratch_write("x.log", log->bytes.at, n);
	real_pread = slv_sys.pread;
	real_write = slv_sys.write;
	slv_sys.pread = counting_pread;
	slv_sys.write = counting_write;
	bytes_read = bytes_written = 0;
}

static void
end(struct slv_report *report)
{
	slv_sys.pread = real_pread;
	slv_sys.write = real_write;
	slv_report_free(report);
	scratch_clean();
}

/* However long frames are, unless they exceed what is held in memory. */
static void
verified(void)
{
	static const struct carla_recipe recipes[] = {
		{ 4000, 40 },
		{ 400, 1500 },
		{ 50, 12000 },
	};
	struct slv_options how = { 0 };

	for (size_t i = 0; i < sizeof(recipes) / sizeof(recipes[0]); i++) {
		struct slv_report *report = NULL;
		struct made_carla log;

		make_carla(&log, &recipes[i]);
		begin(&log, log.bytes.n);
		CHECK_OK(
		    slv_verify(scratch_path("x.log"), &how, &report), NULL);
		check_case("%u actors: %zu bytes, %llu read", recipes[i].actors,
		    log.bytes.n, (unsigned long long)bytes_read);
		CHECK(bytes_read < log.bytes.n + SLACK);
		CHECK_NAME(
		    slv_state_name, slv_report_state(report), SLV_STATE_INTACT);
		end(report);
		made_carla_free(&log);
	}
}

/* A cut log, whose last whole frame has to be told that it is the last. */
static void
cut(void)
{
	struct slv_options how = { .no_sidecar = true };
	struct slv_report *report = NULL;
	struct made_carla log;
	uint64_t kept;

	make_carla(&log, &(struct carla_recipe){ 400, 1500 });
	how.output = scratch_path("out.log");
	begin(&log, log.bytes.n - 9);
	CHECK_OK(slv_repair(scratch_path("x.log"), &how, &report), NULL);
	check_case("%zu bytes, %llu read, %llu written", log.bytes.n,
	    (unsigned long long)bytes_read, (unsigned long long)bytes_written);
	CHECK(bytes_read < 2 * log.bytes.n + SLACK);
	CHECK(bytes_written < log.bytes.n + log.frame_len);
	/* The frame before the one that was cut is the last now. */
	kept = log.last - log.frame_len;
	for (size_t i = 0; i < 8; i++)
		log.bytes.at[kept + 13 + i] = log.bytes.at[log.last + 13 + i];
	CHECK(scratch_holds("out.log", log.bytes.at, log.last));
	end(report);
	made_carla_free(&log);
}

/* Sizes and counts that lead through all of the log, in every other frame.  All of
 * it is then searched for beginnings of logs, too: of this one, and of others. */
static void
led_astray(void)
{
	struct slv_options how = { 0 };
	struct slv_report *report = NULL;
	struct made_carla log;

	make_carla(&log, &(struct carla_recipe){ 4000, 40 });
	for (uint64_t k = 1; k < 3998; k += 2) {
		uint8_t *add = log.bytes.at + log.last - k * log.frame_len + 29;

		for (size_t i = 1; i < 7; i++)
			add[i] = 0xff;
	}
	begin(&log, log.bytes.n);
	CHECK_OK(slv_verify(scratch_path("x.log"), &how, &report), NULL);
	check_case("%zu bytes, %llu read", log.bytes.n,
	    (unsigned long long)bytes_read);
	CHECK(bytes_read < 6 * log.bytes.n + SLACK);
	CHECK_NAME(slv_state_name, slv_report_state(report), SLV_STATE_DAMAGED);
	end(report);
	made_carla_free(&log);
}

CU_TestInfo carla_once_tests[] = {
	{ "a log is read once to be verified", verified },
	{ "a cut log is written once", cut },
	{ "and not more often where counts lead astray", led_astray },
	CU_TEST_INFO_NULL,
};
