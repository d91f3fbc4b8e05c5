/* place.c - a file that is changed in place. */
#include "io/write/place.h"

#include <errno.h>

#include "io/sys.h"

/* A lock on a file that has lost its name protects nothing. */
static enum slv_status
check_name(
    const struct slv_place *p, const struct slv_site *site, struct slv_err *err)
{
	struct stat now;

	if (slv_site_look(site, &now) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", p->name);
	if (!slv_site_same(&now, &p->st))
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced while it was opened", p->name);
	return SLV_OK;
}

/* Some file systems have no locks. */
static enum slv_status
lock(const struct slv_place *p, struct slv_err *err)
{
	if (slv_sys.lock(p->fd) == 0 || errno == ENOSYS || errno == ENOTSUP)
		return SLV_OK;
	if (errno == EWOULDBLOCK)
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: somebody else has locked it", p->name);
	return slv_fail_errno(err, "%s: cannot lock it", p->name);
}

static enum slv_status
take(struct slv_place *p, const struct slv_site *site, struct slv_err *err)
{
	SLV_TRY(lock(p, err));
	if (slv_sys.fstat(p->fd, &p->st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", p->name);
	if (!S_ISREG(p->st.st_mode))
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is no regular file; only such a file is changed in "
		    "place",
		    p->name);
	return check_name(p, site, err);
}

enum slv_status
slv_place_open(
    struct slv_place *p, const struct slv_site *site, struct slv_err *err)
{
	struct slv_err why = { 0 };
	enum slv_status st;

	*p = (struct slv_place){ .name = site->path };
	st = slv_site_file(site, O_RDWR, &p->fd, &p->st, &why);
	if (st != SLV_OK && why.os == ELOOP)
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced by a symbolic link", site->path);
	errno = why.os;
	if (st != SLV_OK)
		return slv_fail_errno(
		    err, "%s: cannot open for writing", site->path);
	st = take(p, site, err);
	if (st != SLV_OK)
		slv_place_close(p);
	return st;
}

enum slv_status
slv_place_reserve(
    struct slv_place *p, uint64_t off, uint64_t len, struct slv_err *err)
{
	int bad;

	if (len == 0)
		return SLV_OK;
	do
		bad = slv_sys.reserve(p->fd, (off_t)off, (off_t)len);
	while (bad < 0 && errno == EINTR);
	if (bad == 0 || errno == ENOTSUP || errno == ENOSYS || errno == EINVAL)
		return SLV_OK;
	return slv_fail_errno(err, "%s: no room for %llu bytes more", p->name,
	    (unsigned long long)len);
}

/* When much is written in order, let the disk begin with it. */
static void
note_written(struct slv_place *p, uint64_t off, uint64_t end)
{
	if (off != p->end)
		p->begun = off;
	p->end = end;
	if (end - p->begun < SLV_FLUSH)
		return;
	/* Only for speed. */
	(void)slv_sys.flush(p->fd, (off_t)p->begun, (off_t)(end - p->begun));
	p->begun = end;
}

enum slv_status
slv_place_write(struct slv_place *p, uint64_t off, const void *bytes, size_t n,
    struct slv_err *err)
{
	const char *at = bytes;
	uint64_t from = off;

	while (n > 0) {
		ssize_t put = slv_sys.pwrite(p->fd, at, n, (off_t)off);

		if (put < 0 && errno == EINTR)
			continue;
		if (put == 0)
			errno = EIO;
		if (put <= 0)
			return slv_fail_errno(err, "%s: cannot write at %llu",
			    p->name, (unsigned long long)off);
		at += put;
		off += (uint64_t)put;
		n -= (size_t)put;
	}
	note_written(p, from, off);
	return SLV_OK;
}

enum slv_status
slv_place_resize(struct slv_place *p, uint64_t size, struct slv_err *err)
{
	int bad;

	do
		bad = slv_sys.ftruncate(p->fd, (off_t)size);
	while (bad < 0 && errno == EINTR);
	if (bad < 0)
		return slv_fail_errno(err, "%s: cannot make it %llu bytes long",
		    p->name, (unsigned long long)size);
	return SLV_OK;
}

enum slv_status
slv_place_sync(struct slv_place *p, struct slv_err *err)
{
	if (slv_sys.fsync(p->fd) < 0)
		return slv_fail_errno(err, "%s: fsync", p->name);
	return SLV_OK;
}

void
slv_place_close(struct slv_place *p)
{
	if (p->fd >= 0)
		slv_sys.close(p->fd);
	p->fd = -1;
}
