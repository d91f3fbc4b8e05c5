/* test_folder.c - a folder that appears complete, or never. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

	if (slv_folder_begin(&f, scratch_path("out"), NULL, err) == SLV_OK
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

/* Is the mark of a folder under way in the result? */
static bool
is_marked(void)
{
	return scratch_has("out/.salvor-part");
}

static void
clear(void)
{
	scratch_remove("out/.salvor-part");
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

/* Publish in a child that is killed at call k; whether it was. */
static bool
killed_at(unsigned k)
{
	const struct fake_plan plan = {
		.k = k,
		.calls = FAKE_ALL_SYS,
		.how = FAKE_KILL,
	};
	struct slv_err err = { 0 };
	int how = 0;
	pid_t child = fork();

	if (child == 0) {
		fake_on(&plan);
		_exit(publish(&err) == SLV_OK ? 0 : 1);
	}
	CHECK(child > 0 && waitpid(child, &how, 0) == child);
	return WIFSIGNALED(how);
}

/* Whenever a process is killed, the next one removes what it left. */
static void
next_one_clears(void)
{
	for (unsigned k = 1; killed_at(k); k++) {
		struct slv_err err = { 0 };

		check_case("killed at call %u", k);
		CHECK(!scratch_has("out") || is_complete());
		CHECK_OK(publish(&err), &err);
		CHECK(is_complete() && !is_marked());
		CHECK_U64(scratch_count(".salvor-"), 0);
		clear();
	}
	check_case("%s", "");
}

/* Make a file in a folder with the name of the temporary one of "out"; whose name is
 * returned. */
static const char *
leave(const char *file, uid_t owner)
{
	static char name[64];
	struct slv_folder f = { .dir = -1, .at = { .dir = -1 } };
	struct slv_err err = { 0 };
	char path[128];

	CHECK_OK(slv_folder_begin(&f, scratch_path("out"), NULL, &err), &err);
	snprintf(name, sizeof(name), "%s", f.temp);
	slv_folder_free(&f);
	CHECK(mkdir(scratch_path(name), 0777) == 0);
	snprintf(path, sizeof(path), "%s/%s", name, file);
	scratch_write(path, "", 0);
	CHECK(
	    owner == geteuid() || chown(scratch_path(path), owner, owner) == 0);
	return name;
}

/* A folder of another use stays, whatever it is called. */
static void
others_stay(void)
{
	static const struct {
		const char *file;
		uid_t owner;
		bool stays;
	} cases[] = {
		{ "results", 0, true },
		{ ".salvor-part", 1, true },
		{ ".salvor-part", 0, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct slv_err err = { 0 };
		uid_t me = geteuid();
		const char *name;
		char path[128];

		/* Only root can make files of others. */
		if (cases[i].owner != 0 && me != 0)
			continue;
		name = leave(cases[i].file, me + cases[i].owner);
		CHECK_OK(publish(&err), &err);
		CHECK(is_complete());
		CHECK_U64(scratch_count(".salvor-"), cases[i].stays);
		snprintf(path, sizeof(path), "%s/%s", name, cases[i].file);
		CHECK(scratch_has(path) == cases[i].stays);
		scratch_remove(path);
		(void)rmdir(scratch_path(name));
		clear();
	}
}

/* One that is under way is not disturbed. */
static void
two_at_once(void)
{
	struct slv_folder f = { .dir = -1, .at = { .dir = -1 } };
	struct slv_err err = { 0 };

	CHECK_OK(slv_folder_begin(&f, scratch_path("out"), NULL, &err), &err);
	CHECK_OK(slv_folder_add(&f, "a", &err), &err);
	CHECK_OK(publish(&err), &err);
	CHECK(is_complete());
	CHECK_U64(scratch_count(".salvor-"), 1);
	CHECK_OK(slv_folder_append(&f, 0, "1", 1, &err), &err);
	CHECK(slv_folder_commit(&f, &err) == SLV_E_EXISTS);
	slv_folder_free(&f);
	CHECK_U64(scratch_count(""), 1);
	clear();
}

CU_TestInfo folder_tests[] = {
	{ "appears_at_commit", appears_at_commit },
	{ "replaces_only_nothing", replaces_only_nothing },
	{ "complete_or_absent", complete_or_absent },
	{ "next_one_clears", next_one_clears },
	{ "others_stay", others_stay },
	{ "two_at_once", two_at_once },
	CU_TEST_INFO_NULL,
};
