/* test_carry.c - what a copy takes over besides the bytes. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/carry.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define ACL "system.posix_acl_access"

/* user::rw- user:12345:rw- group::--- mask::rw- other::--- */
static const unsigned char acl[] = { 2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255,
	2, 0, 6, 0, 57, 48, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255, 16, 0, 6, 0,
	255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255 };

/* Carry over from "in" to "out" while the calls of the plan fail. */
static void
carry(const struct fake_plan *plan, struct stat *out)
{
	struct slv_err err = { 0 };
	struct stat like;
	int from = open(scratch_path("in"), O_RDONLY);
	int to = open(scratch_path("out"), O_RDWR | O_CREAT, 0600);

	CHECK(from >= 0 && to >= 0 && fstat(from, &like) == 0);
	fake_on(plan);
	CHECK_OK(slv_carry_over(to, "out", &like, from, &err), &err);
	fake_off(NULL);
	CHECK(fstat(to, out) == 0);
	close(from);
	close(to);
}

static void
attributes(void)
{
	struct fake_plan none = { 0 };
	char got[64] = "";
	struct stat st;

	scratch_write("in", "x", 1);
	CHECK(chmod(scratch_path("in"), 0640) == 0);
	/* Not every file system can. */
	if (setxattr(scratch_path("in"), "user.robot", "spot", 4, 0) == 0) {
		carry(&none, &st);
		CHECK_U64(st.st_mode & 0777, 0640);
		CHECK_I64(getxattr(scratch_path("out"), "user.robot", got,
		              sizeof(got)),
		    4);
		CHECK_BYTES(got, 4, "spot", 4);
	}
	scratch_clean();
}

static void
access_control_list(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = ENOTSUP };
	unsigned char got[sizeof(acl) + 1];
	struct stat st;

	scratch_write("in", "x", 1);
	CHECK(chmod(scratch_path("in"), 0600) == 0);
	if (setxattr(scratch_path("in"), ACL, acl, sizeof(acl), 0) == 0) {
		/* Where the list cannot go, its mask must not become the
		 * rights of the group. */
		plan.calls = FAKE_BIT(FAKE_FSETXATTR);
		carry(&plan, &st);
		CHECK_U64(st.st_mode & 0777, 0600);
		plan.calls = 0;
		carry(&plan, &st);
		CHECK_U64(st.st_mode & 0777, 0660);
		CHECK_I64(getxattr(scratch_path("out"), ACL, got, sizeof(got)),
		    (ssize_t)sizeof(acl));
		CHECK_BYTES(got, sizeof(acl), acl, sizeof(acl));
	}
	scratch_clean();
}

/* None of these calls is a must, and the group of another owner gets no more
 * than everybody. */
static void
what_cannot_be_had(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = EPERM };
	struct stat st;

	plan.calls = FAKE_BIT(FAKE_FCHOWN) | FAKE_BIT(FAKE_FUTIMENS)
	    | FAKE_BIT(FAKE_FLISTXATTR) | FAKE_BIT(FAKE_FGETXATTR)
	    | FAKE_BIT(FAKE_FSETXATTR);
	scratch_write("in", "x", 1);
	CHECK(chmod(scratch_path("in"), 0664) == 0);
	plan.os = ENOTSUP;
	carry(&plan, &st);
	CHECK_U64(st.st_mode & 0777, 0644);
	plan.calls |= FAKE_BIT(FAKE_FCHMOD);
	scratch_remove("out");
	carry(&plan, &st);
	CHECK_U64(st.st_mode & 0777, 0600);
	scratch_clean();
}

CU_TestInfo carry_tests[] = {
	{ "attributes", attributes },
	{ "access control list", access_control_list },
	{ "what cannot be had", what_cannot_be_had },
	CU_TEST_INFO_NULL,
};
