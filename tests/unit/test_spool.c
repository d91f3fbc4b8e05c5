/* test_spool.c - standard input as a source. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/read/spool.h"
#include "io/sys.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

static size_t hold; /* bytes that may be held in memory */

/* A pipe that holds "hello". */
static int
piped(void)
{
	int ends[2];

	CHECK(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5);
	close(ends[1]);
	return ends[0];
}

static enum slv_status
spool(int fd, unsigned copies, struct slv_source **out, bool *spooled,
    struct slv_err *err)
{
	struct slv_spool how = { scratch_path("."), copies, NULL, hold, NULL };
	struct stat st;

	return slv_spool(fd, "input", &how, out, &st, spooled, err);
}

/* Serves these bytes, and leaves nothing after. */
static void
check_spool(int fd, const char *want, bool temporary)
{
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	char got[16] = "";
	bool spooled;

	if (CHECK_OK(spool(fd, 1, &s, &spooled, &err), &err)) {
		CHECK_U64(s->size, strlen(want));
		CHECK_OK(slv_source_read(s, 0, got, s->size, &err), &err);
		CHECK_STR(got, want);
		CHECK(spooled == temporary);
		CHECK_U64(scratch_count(".salvor-"), 0);
		slv_source_close(s);
	}
	close(fd);
}

static void
pipes_and_files(void)
{
	struct fake_plan plan = { .k = 1, .calls = FAKE_BIT(FAKE_OPEN) };
	int fd;

	check_spool(piped(), "hello", true);
	/* A file system without nameless files. */
	plan.os = EOPNOTSUPP;
	fake_on(&plan);
	check_spool(piped(), "hello", true);
	fake_off(NULL);
	scratch_write("in", "hello", 5);
	check_spool(open(scratch_path("in"), O_RDONLY), "hello", false);
	/* What was read of a file before is not a part of the log. */
	fd = open(scratch_path("in"), O_RDONLY);
	CHECK_I64(lseek(fd, 2, SEEK_SET), 2);
	check_spool(fd, "llo", true);
	scratch_clean();
}

static void
each_call_fails(void)
{
	struct fake_plan plan = { .calls = ~0u, .os = EIO };
	struct fake_result result = { .fired = 1 };

	for (plan.k = 1; result.fired > 0 && !check_enough(); plan.k++) {
		struct slv_source *s = NULL;
		struct slv_err err = { 0 };
		int fd = piped();
		bool spooled;

		check_case("call %u", plan.k);
		fake_on(&plan);
		if (spool(fd, 1, &s, &spooled, &err) == SLV_OK)
			slv_source_close(s);
		fake_off(&result);
		CHECK((err.code == SLV_OK) == (s != NULL));
		CHECK_U64(scratch_count(".salvor-"), 0);
		close(fd);
	}
	check_case("%s", "");
}

/* What fits is held; the rest of what does not goes after it. */
static void
as_much_as_fits_is_held(void)
{
	static const struct {
		size_t hold;
		bool temporary;
	} cases[] = { { 4, true }, { 5, false }, { 6, false } };
	int fd;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_case("%zu", cases[i].hold);
		hold = cases[i].hold;
		check_spool(piped(), "hello", cases[i].temporary);
		scratch_write("in", "++hello", 7);
		fd = open(scratch_path("in"), O_RDONLY);
		CHECK_I64(lseek(fd, 2, SEEK_SET), 2);
		/* As large as the file, for all that is known. */
		check_spool(fd, "hello", true);
	}
	check_case("%s", "");
	each_call_fails();
	hold = 0;
	scratch_clean();
}

static void
what_is_refused(void)
{
	static const char *const names[] = { "/", "/dev/null", "/dev/zero" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct slv_source *s = NULL;
		struct slv_err err = { 0 };
		int fd = open(names[i], O_RDONLY);
		bool spooled;

		check_case("%s", names[i]);
		CHECK_STATUS(
		    spool(fd, 1, &s, &spooled, &err), SLV_E_REFUSED, &err);
		close(fd);
	}
	check_case("%s", "");
}

static int
tell_little(const char *path, struct statvfs *st)
{
	(void)path;
	*st = (struct statvfs){ .f_frsize = 1, .f_blocks = 1 };
	st->f_bfree = st->f_bavail = 9;
	return 0;
}

/* Five bytes fit into nine, but not twice; nothing was written by then. */
static void
too_large(void)
{
	struct slv_sys real = slv_sys;
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	int fd = piped();
	bool spooled;

	slv_sys.statvfs = tell_little;
	check_spool(piped(), "hello", true);
	CHECK_STATUS(spool(fd, 2, &s, &spooled, &err), SLV_E_IO, &err);
	CHECK_I64(err.os, ENOSPC);
	/* How long a pipe is nobody knows. */
	CHECK(strstr(err.text, ": 9 bytes free in ") != NULL);
	CHECK(strstr(err.text, "needed") == NULL);
	slv_sys = real;
	close(fd);
}

CU_TestInfo spool_tests[] = {
	{ "pipes and files", pipes_and_files },
	{ "as much as fits is held", as_much_as_fits_is_held },
	{ "what is refused", what_is_refused },
	{ "too large", too_large },
	{ "each call fails", each_call_fails },
	CU_TEST_INFO_NULL,
};
