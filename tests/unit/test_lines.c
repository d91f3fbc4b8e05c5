/* test_lines.c - a file of lines replaces its like and nothing else. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "salvor.h"
#include "salvor_many.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define REPORT "{\"type\":\"file\"}\n"
#define MAP    "# Mapfile. Created by salvor\n"
#define PAGE   "<!doctype html>\n<!-- A report of salvor's. -->\n"
#define SUM    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static enum slv_status
put(const char *path, enum slv_lines_kind kind, struct slv_err *err)
{
	struct slv_lines *l = NULL;

	*err = (struct slv_err){ 0 };
	if (slv_lines_open(path, kind, NULL, &l, err) != SLV_OK)
		return err->code;
	if (slv_lines_add(l, "{\"type\":", err) != SLV_OK
	    || slv_lines_add(l, "\"file\"}\n", err) != SLV_OK) {
		slv_lines_discard(l);
		return err->code;
	}
	return slv_lines_commit(l, err);
}

static void
only_its_like(void)
{
	static const struct {
		const char *there;
		bool may[4]; /* be replaced by a report, sums, a map, a page */
	} rows[] = {
		{ "", { true, true, true, true } },
		{ REPORT, { true, false, false, false } },
		{ "{\"type\":", { false, false, false, false } },
		{ " " REPORT, { false, false, false, false } },
		{ SUM "  x\n", { false, true, false, false } },
		{ SUM " *x\n", { false, true, false, false } },
		{ "\\" SUM "  x\\n\n", { false, true, false, false } },
		{ SUM "  ", { false, true, false, false } },
		{ SUM " ", { false, false, false, false } },
		{ SUM "a  x\n", { false, false, false, false } },
		{ "G" SUM "  x\n", { false, false, false, false } },
		{ "\n\n", { false, false, false, false } },
		{ "log", { false, false, false, false } },
		{ MAP, { false, false, true, false } },
		{ "# Mapfile. Created by salvor",
		    { false, false, true, false } },
		{ PAGE, { false, false, false, true } },
		{ "<!doctype html>\n<html>", { false, false, false, false } },
		{ "# Mapfile. Created by GNU ddrescue version 1.27\n",
		    { false, false, false, false } },
	};

	for (size_t i = 0; i < 4 * sizeof(rows) / sizeof(*rows); i++) {
		const char *there = rows[i / 4].there;
		bool may = rows[i / 4].may[i % 4];
		struct slv_err err;

		scratch_write("f", there, strlen(there));
		CHECK_STATUS(
		    put(scratch_path("f"), (enum slv_lines_kind)(i % 4), &err),
		    may ? SLV_OK : SLV_E_EXISTS, NULL);
		CHECK(scratch_holds(
		    "f", may ? REPORT : there, strlen(may ? REPORT : there)));
		CHECK_U64(scratch_count(""), 1);
	}
	scratch_clean();
}

static void
what_appears_meanwhile_stays(void)
{
	struct slv_lines *l = NULL;
	struct slv_err err = { 0 };

	CHECK_OK(
	    slv_lines_open(scratch_path("f"), SLV_LINES_REPORT, NULL, &l, &err),
	    &err);
	CHECK(!scratch_has("f"));
	scratch_write("f", "log", 3);
	CHECK_STATUS(slv_lines_commit(l, &err), SLV_E_EXISTS, NULL);
	CHECK(scratch_holds("f", "log", 3));
	CHECK_U64(scratch_count(""), 1);
	scratch_clean();
}

/* Make the folder "here" with this file "f", and of the one that had the name "moved". */
static void
exchange_folder(const void *text)
{
	if (scratch_has("here"))
		CHECK(rename(scratch_path("here"), scratch_path("moved")) == 0);
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	scratch_write("here/f", text, strlen(text));
}

/* The file that is replaced is the one that was looked at, whatever has the name of its
 * folder by then. */
static void
another_folder(void)
{
	static const struct fake_plan plan = {
		.k = 1,
		.calls = FAKE_BIT(FAKE_LOOK),
		.how = FAKE_ACT,
		.act = exchange_folder,
		.act_ctx = REPORT,
	};
	struct fake_result result;
	struct slv_err err;
	char path[600];

	exchange_folder("log");
	strcpy(path, scratch_path("here/f"));
	fake_on(&plan);
	CHECK_STATUS(put(path, SLV_LINES_REPORT, &err), SLV_E_EXISTS, &err);
	fake_off(&result);
	CHECK_U64(result.fired, 1);
	CHECK(scratch_holds("moved/f", "log", 3));
	CHECK(scratch_holds("here/f", REPORT, strlen(REPORT)));
	scratch_remove("here/f");
	scratch_remove("moved/f");
	CHECK(rmdir(scratch_path("here")) == 0);
	CHECK(rmdir(scratch_path("moved")) == 0);
}

static void
a_directory(void)
{
	struct slv_err err;

	CHECK_STATUS(
	    put(scratch_path("."), SLV_LINES_REPORT, &err), SLV_E_USAGE, NULL);
}

static void
every_call_fails(void)
{
	struct fake_plan plan = { .calls = FAKE_ALL_SYS, .os = EIO };
	struct fake_result result = { .fired = 1 };

	for (int alloc = 0; alloc < 2; alloc++) {
		if (alloc)
			plan.calls = FAKE_BIT(FAKE_ALLOC);
		result.fired = 1;
		for (plan.k = 1; result.fired > 0 && !check_enough();
		     plan.k++) {
			char path[600];
			struct slv_err err;
			enum slv_status st;

			check_case("call %u fails", plan.k);
			strcpy(path, scratch_path("f"));
			fake_on(&plan);
			st = put(path, SLV_LINES_REPORT, &err);
			fake_off(&result);
			CHECK(!alloc || result.fired == 0 || st == SLV_E_NOMEM);
			CHECK(st != SLV_OK
			    || scratch_holds("f", REPORT, strlen(REPORT)));
			CHECK(!scratch_has("f")
			    || scratch_holds("f", REPORT, strlen(REPORT)));
			scratch_clean();
		}
	}
	check_case("%s", "");
}

CU_TestInfo lines_tests[] = {
	{ "only its like", only_its_like },
	{ "what appears meanwhile stays", what_appears_meanwhile_stays },
	{ "another folder of the name", another_folder },
	{ "a directory", a_directory },
	{ "every call fails", every_call_fails },
	CU_TEST_INFO_NULL,
};
