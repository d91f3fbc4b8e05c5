/* carry.c - what a copy takes over from its original in addition to the
 * bytes. */
#include "io/write/carry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/sys.h"

#define LIST_MAX 65536 /* bytes, also of a value: limits of the kernel */
#define ACL      "system.posix_acl_access"

/* Attributes that describe the bytes of the original, or that give a program
 * rights. */
static bool
stays_behind(const char *name)
{
	static const char *const those[] = { "security.ima", "security.evm",
		"security.capability" };

	for (size_t i = 0; i < sizeof(those) / sizeof(*those); i++) {
		if (strcmp(name, those[i]) == 0)
			return true;
	}
	return false;
}

/* *acl_lost: the original has an access control list, and the copy has none. */
static enum slv_status
carry_attributes(int to, int from, bool *acl_lost, struct slv_err *err)
{
	char *list = slv_realloc(NULL, 2 * LIST_MAX), *value;
	ssize_t n;

	if (list == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	value = list + LIST_MAX;
	n = slv_sys.flistxattr(from, list, LIST_MAX);
	if (n < 0 && errno != ENOTSUP && errno != ENOSYS)
		*acl_lost = true; /* unless it turns out otherwise */
	for (ssize_t i = 0; i < n; i += (ssize_t)strlen(list + i) + 1) {
		const char *name = list + i;
		ssize_t len;

		if (stays_behind(name))
			continue;
		len = slv_sys.fgetxattr(from, name, value, LIST_MAX);
		if (len >= 0
		    && slv_sys.fsetxattr(to, name, value, (size_t)len) == 0)
			continue;
		if (strcmp(name, ACL) == 0)
			*acl_lost = true;
	}
	slv_free(list);
	return SLV_OK;
}

/* Whether the copy belongs to the original's group. */
static bool
carry_owner(int to, const struct stat *like)
{
	/* Only root may give files to other users, but everyone to a group of
	 * his own. */
	return slv_sys.fchown(to, like->st_uid, like->st_gid) == 0
	    || slv_sys.fchown(to, (uid_t)-1, like->st_gid) == 0;
}

mode_t
slv_mode_within(const struct stat *from, mode_t mode)
{
	mode_t most;

	if (from == NULL || !S_ISREG(from->st_mode))
		return mode;
	most = from->st_mode & 066;
	/* Another group may have more members. */
	if (from->st_gid != getegid())
		most &= 06 | (most & 06) << 3;
	most |= (most & 044) >> 2; /* to look into a folder */
	return mode & (0700 | most);
}

enum slv_status
slv_carry_over(int to, const char *name, const struct stat *like, int from,
    struct slv_err *err)
{
	struct timespec times[2] = { like->st_atim, like->st_mtim };
	mode_t mode = like->st_mode & 0777;
	bool acl_lost = false;

	/* The owner first: a new owner removes attributes. */
	if (!carry_owner(to, like))
		mode &= ~(mode_t)070 | (mode & 07) << 3;
	if (from >= 0)
		SLV_TRY(carry_attributes(to, from, &acl_lost, err));
	/* With a list, the group bits are those of its mask. */
	if (acl_lost)
		mode &= ~(mode_t)070;
	if (slv_sys.fchmod(to, mode) < 0 && errno != EPERM && errno != ENOSYS
	    && errno != ENOTSUP)
		return slv_fail_errno(err, "%s: cannot set the mode", name);
	if (slv_sys.futimens(to, times) < 0)
		errno = 0;
	return SLV_OK;
}
