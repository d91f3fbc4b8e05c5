/* test_walk.c - a scan that is cancelled takes no further unit.
 *
 * For every log of testdata: `cancel` is set while the driver takes its first unit, or
 * one half way through, alone or with what follows it.
 */
#include "suites.h"

#include <signal.h>

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
scan(const struct blob *file, unsigned at)
{
	struct slv_scan_options opt = { .no_digest = true, .cancel = &cancel };
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
		(void)scan(&file, 0);
		all = steps;
		at[0] = 1;
		at[1] = all / 2;
		for (size_t i = 0; i < 2; i++) {
			if (at[i] == 0 || at[i] >= all)
				continue;
			CHECK_NAME(slv_status_name, scan(&file, at[i]),
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

CU_TestInfo walk_tests[] = {
	{ "takes no further unit", takes_no_further_unit },
	CU_TEST_INFO_NULL,
};
