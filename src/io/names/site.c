/* site.c - a name in a folder that is held open. */
#include "io/names/site.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/temp.h"

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

enum slv_status
slv_site_open(struct slv_site *s, const char *path, struct slv_err *err)
{
	char *dir = slv_temp_directory(path);
	enum slv_status st = SLV_OK;

	*s = (struct slv_site){ -1, path, last_part(path) };
	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	s->dir =
	    slv_sys.open(AT_FDCWD, dir, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	if (s->dir < 0 && errno != ENOENT && errno != ENOTDIR
	    && errno != ENAMETOOLONG)
		st = slv_fail_errno(err, "%s: cannot open the directory", dir);
	slv_free(dir);
	return st;
}

struct slv_site
slv_site_beside(const struct slv_site *s, const char *path)
{
	return (struct slv_site){ s->dir, path, last_part(path) };
}

int
slv_site_look(const struct slv_site *s, struct stat *st)
{
	if (s->dir >= 0)
		return slv_sys.look(s->dir, s->name, st);
	errno = ENOENT;
	return -1;
}

enum slv_status
slv_site_file(const struct slv_site *s, int flags, int *fd, struct stat *st,
    struct slv_err *err)
{
	enum slv_status status;

	*fd = -1;
	errno = ENOENT;
	if (s->dir >= 0)
		*fd = slv_sys.open(s->dir, s->name,
		    flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		    0666);
	if (*fd < 0)
		return slv_fail_errno(err, "%s: cannot open", s->path);
	if (slv_sys.fstat(*fd, st) == 0)
		return SLV_OK;
	status = slv_fail_errno(err, "%s: cannot look at it", s->path);
	slv_sys.close(*fd);
	*fd = -1;
	return status;
}

bool
slv_site_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

enum slv_status
slv_site_remove(
    const struct slv_site *s, const struct stat *it, struct slv_err *err)
{
	struct stat now;

	/* One that cannot be looked at may be removable all the same, and it is
	 * in the right folder. */
	if (slv_site_look(s, &now) == 0 && !slv_site_same(&now, it))
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced by another file; that file was not "
		    "removed",
		    s->path);
	if (s->dir < 0 || slv_sys.unlink(s->dir, s->name) == 0
	    || errno == ENOENT)
		return SLV_OK;
	return slv_fail_errno(err, "%s: cannot remove it", s->path);
}

enum slv_status
slv_site_sync(const struct slv_site *s, struct slv_err *err)
{
	int fd =
	    slv_sys.open(s->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	enum slv_status st = SLV_OK;

	if (fd < 0)
		return slv_fail_errno(
		    err, "%s: cannot open its directory", s->path);
	/* Some file systems cannot sync a directory and say EINVAL. */
	if (slv_sys.fsync(fd) < 0 && errno != EINVAL)
		st = slv_fail_errno(err,
		    "%s: what was done in its directory may not survive a "
		    "power loss: fsync",
		    s->path);
	slv_sys.close(fd);
	return st;
}

void
slv_site_close(struct slv_site *s)
{
	if (s->path != NULL && s->dir >= 0)
		slv_sys.close(s->dir);
	*s = (struct slv_site){ .path = NULL };
}

bool
slv_site_is_planted(int dir, const struct stat *it)
{
	struct stat in;

	return it->st_uid != geteuid() && slv_sys.fstat(dir, &in) == 0
	    && (in.st_mode & S_ISVTX) != 0 && (in.st_mode & S_IWOTH) != 0
	    && in.st_uid != it->st_uid;
}

/* Whether somebody may write `it` who may not write `of`. */
static bool
is_wider(const struct stat *it, const struct stat *of)
{
	mode_t open = it->st_mode & (S_IWGRP | S_IWOTH);

	/* On file systems without owners everything has one mode. */
	if (of != NULL && (of->st_mode & S_IWOTH) != 0)
		return false;
	if (of != NULL && (of->st_mode & S_IWGRP) != 0
	    && of->st_gid == it->st_gid)
		open &= ~(mode_t)S_IWGRP;
	return open != 0;
}

const char *
slv_site_doubt(const struct stat *it, const struct stat *of)
{
	if (S_ISLNK(it->st_mode))
		return "is a symbolic link";
	if (!S_ISREG(it->st_mode))
		return "is no regular file";
	if (it->st_uid != geteuid() && (of == NULL || it->st_uid != of->st_uid))
		return "belongs to another user";
	if (is_wider(it, of))
		return "can be written by other users";
	return NULL;
}

enum slv_status
slv_site_trusted(const struct slv_site *s, const struct stat *of, int *fd,
    struct stat *st, const char **doubt, struct slv_err *err)
{
	*fd = -1;
	*doubt = slv_site_doubt(st, of);
	if (*doubt != NULL)
		return SLV_OK;
	SLV_TRY(slv_site_file(s, O_RDONLY, fd, st, err));
	*doubt = slv_site_doubt(st, of);
	if (*doubt == NULL)
		return SLV_OK;
	slv_sys.close(*fd);
	*fd = -1;
	return SLV_OK;
}
