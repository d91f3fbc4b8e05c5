/* test_walk.c - a scan that is cancelled takes no further unit.
 *
 * For every log of testdata: `cancel` is set while the driver takes its first unit, or
 * one half way through, alone or with what follows it.  And of a long search: it goes on
 * in stretches, and ends after the one in which `cancel` is set.
 */
#include "suites.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/scan/scan.h"
#include "formats/formats.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/testdata.h"

#define DRIVERS 8

static struct slv_format drivers[DRIVERS];
static const struct slv_format *counting_formats[DRIVERS + 1];
static volatile sig_atomic_t cancel;
static unsigned steps, last; /* `cancel` is set at the last one */

/* The driver of which s->format is the counting form. */
static const struct slv_format *
own(const struct slv_scan *s)
{
	return slv_formats[s->format - drivers];
}

static void
step(void)
{
	steps++;
	if (steps == last)
		cancel = 1;
}

static enum slv_status
counting_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	step();
	return own(s)->accept(s, off, u, err);
}

static enum slv_status
counting_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *r,
    struct slv_err *err)
{
	enum slv_status st = own(s)->run(s, off, upto, r, err);

	if (st == SLV_OK && r->n > 0)
		step();
	return st;
}

static void
make_drivers(bool runs)
{
	for (size_t i = 0; i < DRIVERS; i++) {
		drivers[i] = *slv_formats[i];
		drivers[i].accept = counting_accept;
		if (drivers[i].run != NULL)
			drivers[i].run = runs ? counting_run : NULL;
		counting_formats[i] = &drivers[i];
	}
	CHECK(slv_formats[DRIVERS] == NULL);
}

/* Scan, and cancel that at a step; 0: never. */
static enum slv_status
scan(const struct blob *file, unsigned at, struct slv_meter *meter)
{
	struct slv_scan_options opt = {
		.no_digest = true, .cancel = &cancel, .meter = meter
	};
	struct slv_source *source = NULL;
	struct slv_scan s = { 0 };
	struct slv_err err = { 0 };
	enum slv_status st;

	cancel = 0;
	steps = 0;
	last = at;
	opt.limits = slv_limits_fill(opt.limits);
	CHECK_OK(slv_source_memory(file->at, file->n, &source, &err), &err);
	st = slv_scan_run(&s, source, counting_formats, &opt, &err);
	slv_scan_free(&s);
	slv_source_close(source);
	return st;
}

static void
check_file(const char *path)
{
	struct blob file = { 0 };

	check_case("%s", path);
	CHECK(blob_read(&file, path));
	for (int runs = 0; runs < 2; runs++) {
		unsigned all, at[2];

		make_drivers(runs);
		(void)scan(&file, 0, NULL);
		all = steps;
		at[0] = 1;
		at[1] = all / 2;
		for (size_t i = 0; i < 2; i++) {
			if (at[i] == 0 || at[i] >= all)
				continue;
			CHECK_NAME(slv_status_name, scan(&file, at[i], NULL),
			    SLV_E_CANCELLED);
			CHECK_U64(steps, at[i]);
		}
	}
	blob_free(&file);
	check_case("%s", "");
}

static void
takes_no_further_unit(void)
{
	static const char *const folders[] = { "bddf", "carla", "cyber",
		"dataflash", "mcap", "rosbag", "rosrecord", "ulog" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		CHECK(testdata_each(folders[i], check_file) > 10);
}

/* ---- a long search -------------------------------------------------------- */

#define LONG    ((size_t)12 << 20) /* bytes without any mark */
#define STRETCH ((uint64_t)1 << 20)

static unsigned searches, reports;
static uint64_t farthest; /* bytes searched at once */

static enum slv_status
counting_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	enum slv_status st = own(s)->next_mark(s, from, to, out, err);

	if (to - from > farthest)
		farthest = to - from;
	/* Not at the first one: detection asks, too. */
	if (to - from == STRETCH && *out == to && ++searches == last)
		cancel = 1;
	return st;
}

static void
count_report(void *ctx, const struct slv_progress *now)
{
	(void)ctx;
	(void)now;
	reports++;
}

static enum slv_status
scan_long(const struct blob *file, unsigned at)
{
	struct slv_meter meter = { .fn = count_report };

	searches = reports = 0;
	farthest = 0;
	return scan(file, at, &meter);
}

/* The log with so many equal bytes in it. */
static void
check_long(const char *path, uint8_t byte)
{
	struct blob file = { 0 }, all = { 0 };
	size_t half;

	check_case("%s, %d", path, byte);
	CHECK(blob_read(&file, path));
	half = file.n * 2 / 3;
	blob_add(&all, file.at, half);
	blob_fill(&all, byte, LONG);
	blob_add(&all, file.at + half, file.n - half);
	CHECK_NAME(slv_status_name, scan_long(&all, 0), SLV_OK);
	CHECK(farthest <= STRETCH);
	CHECK(reports >= LONG / STRETCH);
	if (byte != 0) {
		CHECK(searches > 4);
		CHECK_NAME(
		    slv_status_name, scan_long(&all, 3), SLV_E_CANCELLED);
		CHECK_U64(searches, 3);
	} else {
		/* Zeros are passed over without the driver. */
		CHECK(searches < 4);
	}
	blob_free(&file);
	blob_free(&all);
	check_case("%s", "");
}

static void
ends_a_long_search(void)
{
	static const char *const logs[] = { "bddf/good-patrol.bddf",
		"carla/good-0.9.15.log", "cyber/good-one-chunk.record",
		"dataflash/good-v45.bin", "mcap/good-cpp-none.mcap",
		"rosbag/good-drive-none.bag", "rosrecord/good-plain.bag",
		"ulog/good-v1.ulg" };

	make_drivers(false);
	for (size_t i = 0; i < DRIVERS; i++) {
		drivers[i].accept = slv_formats[i]->accept;
		drivers[i].next_mark = counting_next_mark;
	}
	for (size_t i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		char path[4096];

		snprintf(
		    path, sizeof(path), "%s/testdata/%s", check_top(), logs[i]);
		check_long(path, 0xe5);
		check_long(path, 0);
	}
}

CU_TestInfo walk_tests[] = {
	{ "takes no further unit", takes_no_further_unit },
	{ "ends a long search", ends_a_long_search },
	CU_TEST_INFO_NULL,
};
