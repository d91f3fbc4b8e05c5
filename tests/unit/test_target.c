/* test_target.c - where outputs go: names, links, batches, space. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/names/link.h"
#include "io/sys.h"
#include "io/write/space.h"
#include "job/output/outname.h"
#include "job/output/split.h"
#include "job/output/target.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"
#include "options/options.h"

static void
names_of_outputs(void)
{
	static const char *const table[][2] = {
		{ "x.bddf", "x.repaired.bddf" },
		{ "logs/x.bddf", "logs/x.repaired.bddf" },
		{ "/x.bddf", "/x.repaired.bddf" },
		{ "x.y.bddf", "x.y.repaired.bddf" },
		{ "x.mcap.zstd", "x.repaired.mcap" },
		{ "logs/x.mcap.zst", "logs/x.repaired.mcap" },
		{ "x.bddf.zstd", "x.bddf.repaired.zstd" },
		{ "x.repaired.bddf", "x.repaired.repaired.bddf" },
		{ "x", "x.repaired" },
		{ "logs.d/x", "logs.d/x.repaired" },
		{ "x.", "x.repaired." },
		{ ".bddf", ".bddf.repaired" },
		{ ".x.bddf", ".x.repaired.bddf" },
		{ "\xff.bddf", "\xff.repaired.bddf" },
		{ "x.y.bddf", "x.y.repaired.bddf" },
		{ "x.mcap.zstd", "x.repaired.mcap" },
		{ "logs/x.mcap.zst", "logs/x.repaired.mcap" },
		{ "x.bddf.zstd", "x.bddf.repaired.zstd" },

		{ "x.bag.active", "x.repaired.bag" },
		{ "x.active", "x.repaired.active" },
		{ ".bag.active", ".bag.repaired.active" },
		{ "x.bag", "x.repaired.bag" },

		{ "x.record.00003", "x.repaired.record.00003" },
		{ "d/x.record.00003", "d/x.repaired.record.00003" },
		{ "x.record", "x.repaired.record" },
		{ "x.record.0a", "x.record.repaired.0a" },
		{ "x.record.", "x.record.repaired." },
		{ "x.2024.01", "x.2024.repaired.01" },
		{ ".record.00003", ".record.repaired.00003" },

		{ "x.bddf.part", "x.repaired.bddf" },
		{ "x.bddf.partial", "x.repaired.bddf" },
		{ "x.bddf.crdownload", "x.repaired.bddf" },
		{ "x.bddf.part.crdownload", "x.repaired.bddf" },
		{ "x.bag.active.part", "x.repaired.bag" },
		{ "x.record.00003.part", "x.repaired.record.00003" },
		{ "x.part", "x.repaired" },
		{ ".part", ".part.repaired" },
		{ "d.part/x", "d.part/x.repaired" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char *name = slv_outname(table[i][0]);

		check_case("%s", table[i][0]);
		CHECK_STR(name, table[i][1]);
		free(name);
	}
	check_case("%s", "");
}

static void
names_of_splits(void)
{
	static const char *const table[][3] = {
		{ "x.bddf", "x.repaired.bddf", "x.foreign-70.bddf" },
		{ "logs/x.bddf", "out/x.bddf", "out/x.foreign-70.bddf" },
		{ "logs/x", "./x", "./x.foreign-70" },
		{ "x.bddf.part", "/a/y.bddf", "/a/x.foreign-70.bddf" },
		{ "x.bddf", "/y.bddf", "/x.foreign-70.bddf" },
		{ "-", "out/y.bddf", "out/y.foreign-70.bddf" },
		{ "-", "y", "y.foreign-70" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		char *name = slv_split_name(table[i][0], table[i][1], 70, NULL);

		check_case("%s to %s", table[i][0], table[i][1]);
		CHECK_STR(name, table[i][2]);
		free(name);
	}
	check_case("%s", "");
}

static void
check_target(const char *file, const struct slv_options *opt, const char *want)
{
	struct slv_err err = { 0 };
	char *path = NULL;

	CHECK_OK(slv_target_path(file, opt, &path, &err), &err);
	CHECK_STR(path, want);
	free(path);
}

static void
targets(void)
{
	struct slv_options opt = { .output_dir = "d" };
	struct slv_err err = { 0 };
	char *path = NULL;

	check_target("a/x.bddf", &opt, "d/x.bddf");
	check_target("x", &opt, "d/x");
	opt.output_dir = "d/";
	check_target("a/x.bddf", &opt, "d/x.bddf");
	CHECK_STATUS(
	    slv_target_path("-", &opt, &path, &err), SLV_E_USAGE, &err);
	opt = (struct slv_options){ .output = "-" };
	check_target("a/x.bddf", &opt, "-");
	check_target("-", &opt, "-");
	opt.output = scratch_path("none");
	check_target("-", &opt, scratch_path("none"));
}

static void
check_link(const char *from, const char *want)
{
	struct slv_err err = { 0 };
	char *path = NULL;

	CHECK_OK(slv_link_follow(scratch_path(from), &path, &err), &err);
	CHECK_STR(path, scratch_path(want));
	free(path);
}

static void
links(void)
{
	struct slv_err err = { 0 };
	char *path;

	CHECK(symlink("there", scratch_path("one")) == 0);
	CHECK(symlink("one", scratch_path("two")) == 0);
	CHECK(symlink("two", scratch_path("three")) == 0);
	CHECK(symlink("round", scratch_path("round")) == 0);
	check_link("one", "there");
	check_link("three", "there");
	scratch_write("there", "x", 1);
	check_link("two", "there");
	check_link("there", "there");
	CHECK_STATUS(slv_link_follow(scratch_path("round"), &path, &err),
	    SLV_E_IO, &err);
	CHECK_I64(err.os, ELOOP);
	CHECK(path == NULL);
	scratch_clean();
}

static enum slv_status
check_two(const char *a, const char *b, const struct slv_options *opt)
{
	const char *files[2] = { a, b };
	struct slv_err err = { 0 };

	return slv_repair_check(files, 2, opt, &err);
}

static void
batches(void)
{
	struct slv_options none = { 0 }, force = { .force = true };
	struct slv_options dir = { .output_dir = "." };

	CHECK_STATUS(check_two("x.bddf", "y.bddf", &none), SLV_OK, NULL);
	CHECK_STATUS(check_two("x.bddf", "x.bddf", &none), SLV_E_USAGE, NULL);
	CHECK_STATUS(check_two("x.bddf", "./x.bddf", &none), SLV_E_USAGE, NULL);
	CHECK_STATUS(
	    check_two("x.bddf", "x.bddf.part", &none), SLV_E_USAGE, NULL);
	CHECK_STATUS(
	    check_two("/nowhere/x", "/elsewhere/x", &none), SLV_OK, NULL);
	CHECK_STATUS(
	    check_two("/nowhere/x", "/elsewhere/x", &dir), SLV_E_USAGE, NULL);
	/* What a second run over a folder meets. */
	CHECK_STATUS(
	    check_two("x.bddf", "x.repaired.bddf", &none), SLV_OK, NULL);
	CHECK_STATUS(
	    check_two("x.repaired.bddf", "x.bddf", &force), SLV_E_USAGE, NULL);
	CHECK_STATUS(check_two("x.bddf", "y.bddf", &force), SLV_OK, NULL);
	dir.output_dir = "/dev/null";
	CHECK_STATUS(check_two("x", "y", &dir), SLV_E_USAGE, NULL);
	dir.output_dir = "/nowhere";
	CHECK_STATUS(check_two("x", "y", &dir), SLV_E_USAGE, NULL);
}

static void
batches_when_calls_fail(void)
{
	struct fake_plan plan = { .calls = ~0u, .os = ENOMEM };
	struct fake_result result = { .fired = 1 };
	struct slv_options opt = { .output_dir = ".", .force = true };

	for (plan.k = 1; result.fired > 0 && !check_enough(); plan.k++) {
		enum slv_status st;

		fake_on(&plan);
		st = check_two("a/x", "b/y", &opt);
		fake_off(&result);
		CHECK(st == SLV_E_NOMEM
		    || (st == SLV_OK
		        && !(result.struck & FAKE_BIT(FAKE_ALLOC))));
	}
	CHECK(plan.k > 5);
}

static struct statvfs told;

static int
tell_space(const char *path, struct statvfs *st)
{
	(void)path;
	*st = told;
	return 0;
}

static void
space(void)
{
	struct slv_sys real = slv_sys;
	struct slv_space s = { .need = 4097 };
	struct slv_err err = { 0 };

	slv_sys.statvfs = tell_space;
	told = (struct statvfs){ .f_frsize = 4096, .f_blocks = 9 };
	told.f_bfree = told.f_bavail = 1;
	slv_space_look("d", &s);
	CHECK(s.known);
	CHECK_U64(s.free, 4096);
	CHECK_STATUS(slv_space_check(&s, "x", "d", NULL, &err), SLV_E_IO, &err);
	CHECK_I64(err.os, ENOSPC);
	CHECK_STR(err.text,
	    "x: does not fit: 4097 bytes needed, 4096 free in d; nothing was "
	    "written");
	s.more = true;
	err = (struct slv_err){ 0 };
	CHECK_STATUS(
	    slv_space_check(&s, "x", "d", "-d may", &err), SLV_E_IO, &err);
	CHECK_STR(err.text,
	    "x: does not fit: 4096 bytes free in d; nothing was written; -d "
	    "may");
	s.need = 4096;
	CHECK_OK(slv_space_check(&s, "x", "d", NULL, NULL), NULL);
	told.f_bfree = told.f_bavail = UINT64_MAX;
	slv_space_look("d", &s);
	CHECK_U64(s.free, UINT64_MAX);
	told.f_blocks = 0;
	slv_space_look("d", &s);
	CHECK(!s.known);
	slv_sys = real;
}

CU_TestInfo target_tests[] = {
	{ "names of outputs", names_of_outputs },
	{ "names of splits", names_of_splits },
	{ "targets", targets },
	{ "links", links },
	{ "batches", batches },
	{ "batches when calls fail", batches_when_calls_fail },
	{ "space", space },
	CU_TEST_INFO_NULL,
};
