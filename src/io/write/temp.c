/* temp.c - temporary files.
 *
 * The first temporaries of an output have names that are derived from its name,
 * so that the next run finds what a killed one left.  A process locks its
 * temporary while it is in use: an unlocked one is left over.  If these names
 * are taken by files that cannot be removed, the name is random, so nothing
 * that another user leaves in the directory can make a run fail.
 */
#include "io/write/temp.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/mem.h"
#include "io/sys.h"

#define TRIES   100 /* random names to try before giving up */
#define LETTERS 12  /* in a name */

char *
slv_temp_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir;

	if (slash == NULL)
		return slv_strdup(".");
	dir = slv_strdup(path);
	if (dir != NULL)
		dir[slash == path ? 1 : slash - path] = '\0';
	return dir;
}

void
slv_temp_name(char name[SLV_TEMP_NAME], uint64_t bits)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	char tail[LETTERS + 1] = "";

	for (size_t k = 0; k < LETTERS; k++, bits >>= 5)
		tail[k] = letters[bits % 32];
	snprintf(name, SLV_TEMP_NAME, ".salvor-%s", tail);
}

/* Return true if it has the lock; a file system without locks gives none. */
static bool
is_locked_by_us(int fd)
{
	return slv_sys.lock(fd) == 0;
}

bool
slv_temp_is_named(const struct slv_temp *t)
{
	struct stat now;

	return slv_sys.look(t->dir, t->name, &now) < 0
	    ? errno != ENOENT
	    : slv_site_same(&now, &t->as);
}

bool
slv_temp_remove(const struct slv_temp *t)
{
	return slv_temp_is_named(t) && slv_sys.unlink(t->dir, t->name) == 0;
}

/* Remove what a killed process left under the name.  Its lock ended with it. */
static bool
clear(struct slv_temp *t)
{
	bool gone = false;

	t->fd = slv_sys.open(t->dir, t->name,
	    O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (t->fd < 0)
		return errno == ENOENT;
	if (slv_sys.fstat(t->fd, &t->as) == 0 && S_ISREG(t->as.st_mode)
	    && t->as.st_uid == geteuid() && is_locked_by_us(t->fd))
		gone = slv_temp_remove(t);
	slv_sys.close(t->fd);
	t->fd = -1;
	return gone;
}

static bool
give_up(struct slv_temp *t, int os)
{
	slv_sys.close(t->fd);
	t->fd = -1;
	errno = os;
	return false;
}

/* false: if errno is EEXIST, another name may work. */
static bool
create(struct slv_temp *t, mode_t mode)
{
	int os;

	t->fd = slv_sys.open(
	    t->dir, t->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (t->fd < 0)
		return false;
	if (slv_sys.fstat(t->fd, &t->as) < 0) {
		os = errno;
		(void)slv_sys.unlink(t->dir, t->name);
		return give_up(t, os);
	}
	/* Before it was locked, another process may have taken it for a
	 * left-over file. */
	if ((is_locked_by_us(t->fd) || errno != EWOULDBLOCK)
	    && slv_temp_is_named(t))
		return true;
	return give_up(t, EEXIST);
}

static bool
create_for(struct slv_temp *t, const char *name, mode_t mode)
{
	uint64_t hash = slv_fnv(SLV_FNV, name, strlen(name));

	for (uint64_t i = 0; i < SLV_TEMP_SLOTS; i++) {
		slv_temp_name(t->name, hash + i);
		if (create(t, mode))
			return true;
		if (errno != EEXIST)
			return false;
		if (clear(t) && create(t, mode))
			return true;
	}
	errno = EEXIST;
	return false;
}

static bool
create_any(struct slv_temp *t, mode_t mode)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t bits;

		if (slv_sys.random(&bits, sizeof(bits)) != sizeof(bits))
			return false;
		slv_temp_name(t->name, bits);
		if (create(t, mode))
			return true;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

enum slv_status
slv_temp_create(const struct slv_site *site, mode_t mode, struct slv_temp *t,
    struct slv_err *err)
{
	char *dir;

	*t = (struct slv_temp){ .dir = site->dir, .fd = -1 };
	errno = ENOENT;
	if (site->dir >= 0
	    && (create_for(t, site->name, mode)
	        || (errno == EEXIST && create_any(t, mode))))
		return SLV_OK;
	dir = slv_temp_directory(site->path);
	slv_fail_errno(err, "%s: cannot create a temporary there",
	    dir != NULL ? dir : site->path);
	slv_free(dir);
	return err->code;
}

enum slv_status
slv_temp_nameless(const char *dir, int *fd, struct slv_err *err)
{
	struct slv_temp t = { .fd = -1 };

	*fd = slv_sys.open(AT_FDCWD, dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (*fd >= 0)
		return SLV_OK;
	/* Not every file system has such files; a name that is removed at once
	 * works too. */
	t.dir =
	    slv_sys.open(AT_FDCWD, dir, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (t.dir < 0 || !create_any(&t, 0600))
		slv_fail_errno(err, "%s: cannot create a temporary there", dir);
	else if (!slv_temp_remove(&t))
		slv_fail_errno(err, "%s: cannot remove its name", t.name);
	if (err->code != SLV_OK && t.fd >= 0)
		slv_sys.close(t.fd);
	if (t.dir >= 0)
		slv_sys.close(t.dir);
	*fd = t.fd;
	return err->code;
}
