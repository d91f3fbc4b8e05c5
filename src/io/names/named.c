/* named.c - open files that a user named and that are not logs, without
 * blocking. */
#include "io/names/named.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "io/names/link.h"
#include "io/names/site.h"
#include "io/sys.h"

const char *
slv_named_kind(const struct stat *st, int fd)
{
	return S_ISDIR(st->st_mode)              ? "a directory"
	    : S_ISFIFO(st->st_mode)              ? "a FIFO"
	    : S_ISSOCK(st->st_mode)              ? "a socket"
	    : S_ISCHR(st->st_mode) && isatty(fd) ? "a terminal"
	    : S_ISCHR(st->st_mode)               ? "a character device"
	                                         : NULL;
}

enum slv_status
slv_named_fail(const char *path, struct slv_err *err)
{
	char to[PATH_MAX];
	int os = errno;
	ssize_t n = os == ENOENT
	    ? slv_sys.readlink(AT_FDCWD, path, to, sizeof(to) - 1)
	    : -1;

	to[n > 0 ? n : 0] = '\0';
	errno = os;
	return n > 0
	    ? slv_fail_errno(err, "%s: is a symbolic link to \"%s\"", path, to)
	    : slv_fail_errno(err, "%s: cannot open", path);
}

/* Return true if it can be read from its beginning to an end.  Standard input
 * may be a socket. */
static bool
is_stream(const struct stat *st, int fd)
{
	return S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode)
	    || (S_ISCHR(st->st_mode)
	        && (isatty(fd) || st->st_rdev == makedev(1, 3)));
}

static enum slv_status
refuse(const char *path, const struct slv_named *how, const char *kind,
    struct slv_err *err)
{
	return slv_fail(err, SLV_E_USAGE, "%s: is %s; %s must be a %s", path,
	    kind, how->what, how->stream ? "file or a pipe" : "regular file");
}

static enum slv_status
check(
    const char *path, const struct slv_named *how, int fd, struct slv_err *err)
{
	struct stat st;
	const char *kind;

	if (slv_sys.fstat(fd, &st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", path);
	if (S_ISREG(st.st_mode) || (how->stream && is_stream(&st, fd)))
		return SLV_OK;
	kind = slv_named_kind(&st, fd);
	return refuse(path, how, kind != NULL ? kind : "a block device", err);
}

/* A file that cannot be opened, by errno: a socket, or a directory for
 * writing. */
static enum slv_status
fail(const char *path, const struct slv_named *how, struct slv_err *err)
{
	int os = errno;
	struct stat st;

	if ((os == ENXIO || os == EISDIR) && slv_sys.stat(path, &st) == 0
	    && slv_named_kind(&st, -1) != NULL)
		return refuse(path, how, slv_named_kind(&st, -1), err);
	errno = os;
	return slv_named_fail(path, err);
}

/* Open a file that is created if it does not exist.  A file that another user
 * may have put there is neither followed nor written to. */
static enum slv_status
open_or_make(const char *path, const struct slv_named *how, int *out,
    struct slv_err *err)
{
	struct slv_err why = { 0 };
	struct slv_site site;
	enum slv_status st;
	struct stat is;

	SLV_TRY(slv_site_open(&site, path, err));
	st = slv_site_file(&site, how->flags, out, &is, &why);
	if (st != SLV_OK) {
		errno = why.os;
		st = fail(path, how, err);
	} else if (slv_site_is_planted(site.dir, &is)) {
		st = slv_fail(err, SLV_E_REFUSED,
		    "%s: belongs to another user, in a directory where "
		    "everybody can make files; name another file",
		    path);
	}
	slv_site_close(&site);
	return st;
}

static enum slv_status
open_new(const char *path, const struct slv_named *how, int *out,
    struct slv_err *err)
{
	int fd = -1;
	char *at;
	enum slv_status st;

	SLV_TRY(slv_link_follow_new(path, &at, err));
	st = open_or_make(at, how, &fd, err);
	if (st == SLV_OK)
		st = check(path, how, fd, err);
	if (st == SLV_OK)
		*out = fd;
	else if (fd >= 0)
		slv_sys.close(fd);
	slv_free(at);
	return st;
}

enum slv_status
slv_named_open(const char *path, const struct slv_named *how, int *out,
    struct slv_err *err)
{
	/* O_NONBLOCK: opening a FIFO must not wait for its other end.
	 * O_NOCTTY: a terminal must not become ours. */
	int fd;
	enum slv_status st;

	if (how->flags & O_CREAT)
		return open_new(path, how, out, err);
	fd = how->stream && strcmp(path, "-") == 0
	    ? slv_sys.dup(STDIN_FILENO)
	    : slv_sys.open(AT_FDCWD, path,
	        how->flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

	if (fd < 0)
		return fail(path, how, err);
	st = check(path, how, fd, err);
	if (st == SLV_OK)
		*out = fd;
	else
		slv_sys.close(fd);
	return st;
}

enum slv_status
slv_await(int fd, enum slv_await what, const volatile sig_atomic_t *cancel,
    const char *name, struct slv_err *err)
{
	int ready = 0;

	do {
		if (slv_is_cancelled(cancel))
			return slv_fail(err, SLV_E_CANCELLED,
			    "%s: stopped while waiting for it", name);
		ready = slv_sys.wait(fd, what == SLV_AWAIT_ROOM);
		if (ready < 0 && errno != EINTR)
			return slv_fail_errno(
			    err, "%s: cannot wait for it", name);
	} while (ready <= 0 && fd >= 0);
	return SLV_OK;
}
