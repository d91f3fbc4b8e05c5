/* test_copy.c - what is noted of the units of a copy. */
#include <stdio.h>
#include <stdlib.h>

#include "core/copies/copy.h"
#include "formats/formats.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

/* Of a log without its first `skip` bytes: where units stand, and when: a unit that holds messages has the time of the
 * first one, and those have no place of their own. */
static void
check_units(const char *name, size_t skip, const char *kind, size_t timed)
{
	struct slv_scan_options opt = { .nameless = true };
	struct slv_source *source = NULL;
	struct slv_copy c = { .n = 0 };
	struct slv_err err = { 0 };
	struct blob file = { 0 };
	char path[4096];
	size_t n = 0;

	check_case("%s", name);
	snprintf(path, sizeof(path), "%s/testdata/%s", check_top(), name);
	CHECK(blob_read(&file, path));
	opt.limits = slv_limits_fill(opt.limits);
	CHECK_OK(
	    slv_source_memory(file.at + skip, file.n - skip, &source, &err),
	    &err);
	CHECK_OK(slv_copy_scan(&c, source, slv_formats, &opt, &err), &err);
	CHECK_STR(c.scan.format->name, kind);
	for (size_t i = 0; i < c.n; i++) {
		const struct slv_noted *u = &c.units[i];

		CHECK(i == 0
		    || u->off >= c.units[i - 1].off + c.units[i - 1].len);
		n += u->time.known;
		CHECK(!u->time.known
		    || (u->time.sec >= 1700000000 && u->time.sec < 1700010000
		        && u->time.nanos < 1000000000));
	}
	CHECK_U64(n, timed);
	slv_copy_free(&c);
	slv_source_close(source);
	blob_free(&file);
	check_case("%s", "");
}

static void
units(void)
{
	check_units("bddf/good-tiny.bddf", 0, "bddf", 9);
	check_units("rosbag/good-tiny.bag", 0, "rosbag", 30);
	check_units("rosbag/good-tiny-lz4.bag", 0, "rosbag", 6);
	/* The first unit holds messages and is at 0. */
	check_units("rosbag/good-tiny-lz4.bag", 4117, "rosbag", 6);
}

CU_TestInfo copy_tests[] = {
	{ "units", units },
	CU_TEST_INFO_NULL,
};
