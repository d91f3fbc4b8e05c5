/* test_folder.c - a folder that appears complete, or never. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/folder.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

/* Publish "out" with the files a: "12", and b: "x". */
static enum slv_status
publish(struct slv_err *err)
{
	struct slv_folder f = { .dir = -1, .at = { .dir = -1 } };
	bool there, same = false;

	if (slv_folder_begin(&f, scratch_path("out"), err) == SLV_OK
	    && slv_folder_add(&f, "a", err) == SLV_OK
	    && slv_folder_append(&f, 0, "1", 1, err) == SLV_OK
	    && slv_folder_add(&f, "b", err) == SLV_OK
	    && slv_folder_append(&f, 1, "x", 1, err) == SLV_OK
	    && slv_folder_append(&f, 0, "2", 1, err) == SLV_OK
	    && slv_folder_compare(&f, &there, &same, err) == SLV_OK && !same)
		(void)slv_folder_commit(&f, err);
	slv_folder_free(&f);
	return err->code;
}

static bool
is_complete(void)
{
	return scratch_holds("out/a", "12", 2)
	    && scratch_holds("out/b", "x", 1);
}

static void
clear(void)
{
	scratch_remove("out/a");
	scratch_remove("out/b");
	scratch_remove("out/c");
	(void)rmdir(scratch_path("out"));
	scratch_clean();
}

static void
appears_at_commit(void)
{
	struct slv_err err = { 0 };

	CHECK_OK(publish(&err), &err);
	CHECK(is_complete());
	CHECK_U64(scratch_count(""), 1);
	/* The same again. */
	CHECK_OK(publish(&err), &err);
	CHECK_U64(scratch_count(""), 1);
	clear();
}

static void
replaces_only_nothing(void)
{
	struct slv_err err = { 0 };

	CHECK(mkdir(scratch_path("out"), 0700) == 0);
	CHECK_OK(publish(&err), &err);
	CHECK(is_complete());
	scratch_write("out/c", "mine", 4);
	CHECK(publish(&err) == SLV_E_EXISTS);
	CHECK(scratch_holds("out/c", "mine", 4) && is_complete());
	CHECK_U64(scratch_count(""), 1);
	clear();
	err = (struct slv_err){ 0 };
	scratch_write("out", "a file", 6);
	CHECK(publish(&err) == SLV_E_EXISTS);
	CHECK(scratch_holds("out", "a file", 6));
	CHECK_U64(scratch_count(""), 1);
	clear();
}

/* Every call and every allocation fails once. */
static void
complete_or_absent(void)
{
	struct fake_result r = { .fired = 1 };

	for (unsigned k = 1; r.fired > 0; k++) {
		const struct fake_plan plan = {
			.k = k,
			.calls = FAKE_ALL_SYS | FAKE_BIT(FAKE_ALLOC),
			.os = EIO,
		};
		struct slv_err err = { 0 };
		enum slv_status st;

		fake_on(&plan);
		st = publish(&err);
		fake_off(&r);
		CHECK(st != SLV_OK || is_complete());
		CHECK(!scratch_has("out") || is_complete());
		/* What cannot be removed stays. */
		if ((r.struck & (FAKE_BIT(FAKE_UNLINK) | FAKE_BIT(FAKE_RMDIR)))
		    == 0)
			CHECK_U64(scratch_count(".salvor-"), 0);
		clear();
	}
}

CU_TestInfo folder_tests[] = {
	{ "appears_at_commit", appears_at_commit },
	{ "replaces_only_nothing", replaces_only_nothing },
	{ "complete_or_absent", complete_or_absent },
	CU_TEST_INFO_NULL,
};
