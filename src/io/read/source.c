/* source.c - bytes in, at random: files and memory. */
#include "io/read/source.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/names/named.h"
#include "io/sys.h"

struct file_source {
	struct slv_source base;
	int fd;
	struct slv_ranges holes; /* what was never written, once read */
	bool mapped;             /* ... it was read */
};

struct memory_source {
	struct slv_source base;
	const uint8_t *bytes;
	struct slv_buf own; /* the memory, if the source owns it */
};

enum slv_status
slv_source_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	if (!slv_range_in(off, n, s->size))
		return slv_fail(err, SLV_E_BUG,
		    "%s: read of %zu bytes at %llu, past the end", s->name, n,
		    (unsigned long long)off);
	return n == 0 ? SLV_OK : s->ops->read(s, off, buf, n, err);
}

enum slv_status
slv_source_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	uint64_t end = off + len;

	if (s->ops->unwritten == NULL)
		return SLV_OK;
	/* What was not rescued may be a hole in the copy although it was
	 * written in the original. */
	while (off < end) {
		const struct slv_range *bad =
		    slv_ranges_from(&s->unrescued, off);
		uint64_t upto = bad == NULL ? end : slv_min64(end, bad->off);

		if (upto > off)
			SLV_TRY(
			    s->ops->unwritten(s, off, upto - off, out, err));
		off = upto < end ? bad->end : end;
	}
	return SLV_OK;
}

bool
slv_source_has_writer(struct slv_source *s)
{
	return s->ops->has_writer != NULL && s->ops->has_writer(s);
}

void
slv_source_close(struct slv_source *s)
{
	if (s == NULL)
		return;
	slv_ranges_free(&s->unreadable);
	slv_ranges_free(&s->unrescued);
	s->ops->close(s);
}

/* Return true if an errno of read(2) means "these bytes are gone" and not "you
 * may not" or "the machine is in trouble". */
static bool
is_bad_sector(int os)
{
	return os == EIO || os == EBADMSG || os == EUCLEAN || os == EILSEQ;
}

/* One pread that is not interrupted. */
static ssize_t
pread_some(int fd, void *buf, size_t n, uint64_t off)
{
	ssize_t got;

	do
		got = slv_sys.pread(fd, buf, n, (off_t)off);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Read until n bytes are there or the system refuses; *done says how far.
 * Returns the errno of the refusal, 0 at the end of the file or when all is
 * read. */
static int
pread_all(int fd, uint8_t *buf, size_t n, uint64_t off, size_t *done)
{
	*done = 0;
	while (*done < n) {
		ssize_t got =
		    pread_some(fd, buf + *done, n - *done, off + *done);

		if (got < 0)
			return errno;
		if (got == 0)
			return 0;
		*done += (size_t)got;
	}
	return 0;
}

static enum slv_status
file_shorter(const struct slv_source *s, uint64_t off, struct slv_err *err)
{
	return slv_fail(err, SLV_E_ACTIVE,
	    "%s: became shorter while it was read: it ends at %llu, before "
	    "its size of %llu",
	    s->name, (unsigned long long)off, (unsigned long long)s->size);
}

/* Around a refused read: each sector on its own, so that one bad sector
 * costs one sector. */
static enum slv_status
read_sectors(struct file_source *f, uint64_t off, uint8_t *buf, size_t n,
    struct slv_err *err)
{
	while (n > 0) {
		size_t done, take = SLV_SECTOR - (size_t)(off % SLV_SECTOR);
		int os;

		if (take > n)
			take = n;
		os = pread_all(f->fd, buf, take, off, &done);
		if (os == 0 && done < take)
			return file_shorter(&f->base, off + done, err);
		if (os != 0 && !is_bad_sector(os)) {
			errno = os;
			return slv_fail_errno(err, "%s: read at %llu",
			    f->base.name, (unsigned long long)off);
		}
		if (os != 0) {
			memset(buf, 0, take);
			SLV_TRY(slv_ranges_add(
			    &f->base.unreadable, off, take, err));
		}
		off += take;
		buf += take;
		n -= take;
	}
	return SLV_OK;
}

/* Read a range without known bad sectors. */
static enum slv_status
read_clean(struct file_source *f, uint64_t off, uint8_t *buf, size_t n,
    struct slv_err *err)
{
	size_t done;
	int os = pread_all(f->fd, buf, n, off, &done);

	if (os == 0)
		return done == n ? SLV_OK
		                 : file_shorter(&f->base, off + done, err);
	return read_sectors(f, off + done, buf + done, n - done, err);
}

static enum slv_status
file_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct file_source *f = (struct file_source *)s;
	uint8_t *at = buf;

	while (n > 0) {
		const struct slv_range *bad =
		    slv_ranges_from(&s->unreadable, off);
		size_t take = n;

		if (bad != NULL && bad->off <= off) {
			take = (size_t)slv_min64(n, bad->end - off);
			memset(at, 0, take);
		} else {
			if (bad != NULL)
				take = (size_t)slv_min64(n, bad->off - off);
			SLV_TRY(read_clean(f, off, at, take, err));
		}
		off += take;
		at += take;
		n -= take;
	}
	return SLV_OK;
}

/* SEEK_DATA finds the next written byte, SEEK_HOLE the next unwritten one.  If
 * the file system does not support them, everything counts as written.  The map
 * is read once, because some file systems search for a hole from the start of
 * the file to its end. */
static enum slv_status
map_holes(struct file_source *f, struct slv_err *err)
{
	uint64_t off = 0, end = f->base.size;

	while (off < end) {
		off_t hole = slv_sys.lseek(f->fd, (off_t)off, SEEK_HOLE);
		off_t data;
		uint64_t upto;

		if (hole < 0 || (uint64_t)hole >= end)
			return SLV_OK;
		data = slv_sys.lseek(f->fd, hole, SEEK_DATA);
		/* ENXIO: no data after it.  Data in the hole itself: another
		 * process writes to the file. */
		if (data == hole || (data < 0 && errno != ENXIO))
			return SLV_OK;
		upto = data < 0 ? end : slv_min64(end, (uint64_t)data);
		SLV_TRY(slv_ranges_add(
		    &f->holes, (uint64_t)hole, upto - (uint64_t)hole, err));
		off = upto;
	}
	return SLV_OK;
}

static enum slv_status
file_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	struct file_source *f = (struct file_source *)s;
	uint64_t end = off + len;

	if (!f->mapped)
		SLV_TRY(map_holes(f, err));
	f->mapped = true;
	while (off < end) {
		const struct slv_range *hole = slv_ranges_from(&f->holes, off);
		uint64_t from, upto;

		if (hole == NULL || hole->off >= end)
			return SLV_OK;
		from = slv_max64(off, hole->off);
		upto = slv_min64(end, hole->end);
		SLV_TRY(slv_ranges_add(out, from, upto - from, err));
		off = upto;
	}
	return SLV_OK;
}

/* A read lease is refused with EAGAIN while any process has the file open for
 * writing.  A granted lease is given back at once.  A process that opens the
 * file for writing in between waits that long, and the signal that reports it
 * kills nobody. */
static bool
file_has_writer(struct slv_source *s)
{
	int fd = ((struct file_source *)s)->fd;

	if (slv_sys.fcntl(fd, F_SETSIG, SIGURG) < 0)
		return false;
	if (slv_sys.fcntl(fd, F_SETLEASE, F_RDLCK) < 0)
		return errno == EAGAIN;
	slv_sys.fcntl(fd, F_SETLEASE, F_UNLCK);
	return false;
}

static void
file_close(struct slv_source *s)
{
	struct file_source *f = (struct file_source *)s;

	slv_sys.close(f->fd);
	slv_ranges_free(&f->holes);
	slv_free(f);
}

static const struct slv_source_ops file_ops = {
	.read = file_read,
	.unwritten = file_unwritten,
	.has_writer = file_has_writer,
	.close = file_close,
};

static enum slv_status
check_kind(const char *path, int fd, const struct stat *st, struct slv_err *err)
{
	const char *kind = slv_named_kind(st, fd);

	if (kind == NULL)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is %s, not a file; name the log itself", path, kind);
}

/* Take over an open descriptor, also on failure. */
enum slv_status
slv_source_fd_open(int fd, const char *name, struct slv_source **out,
    struct stat *st, struct slv_err *err)
{
	struct file_source *f = slv_calloc(1, sizeof(*f));
	off_t size;

	if (f == NULL) {
		slv_sys.close(fd);
		return slv_fail(err, SLV_E_NOMEM, "%s: out of memory", name);
	}
	f->base.ops = &file_ops;
	f->base.name = name;
	f->fd = fd;
	if (slv_sys.fstat(fd, st) < 0) {
		slv_fail_errno(err, "%s: cannot look at it", name);
		goto fail;
	}
	if (check_kind(name, fd, st, err) != SLV_OK)
		goto fail;
	size =
	    S_ISREG(st->st_mode) ? st->st_size : slv_sys.lseek(fd, 0, SEEK_END);
	if (size < 0) {
		slv_fail_errno(err, "%s: cannot find its size", name);
		goto fail;
	}
	f->base.size = (uint64_t)size;
	*out = &f->base;
	return SLV_OK;
fail:
	slv_source_close(&f->base);
	return err->code;
}

static enum slv_status
open_path(const char *path, int flags, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	/* O_NONBLOCK: opening a FIFO must not wait for a writer.  O_NOCTTY: a
	 * terminal must not become ours. */
	int os,
	    fd = slv_sys.open(AT_FDCWD, path,
	        flags | O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);

	if (fd >= 0)
		return slv_source_fd_open(fd, path, out, st, err);
	/* A socket cannot be opened; other types are reported by name. */
	os = errno;
	if (os == ENXIO && slv_sys.stat(path, st) == 0
	    && check_kind(path, -1, st, err) != SLV_OK)
		return err->code;
	errno = os;
	return slv_named_fail(path, err);
}

enum slv_status
slv_source_file(const char *path, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	return open_path(path, 0, out, st, err);
}

enum slv_status
slv_source_became_link(const char *path, struct slv_err *err)
{
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: became a symbolic link after its folder was read; it is not "
	    "followed; name the file itself",
	    path);
}

enum slv_status
slv_source_found(const char *path, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	if (slv_sys.look(AT_FDCWD, path, st) == 0 && S_ISLNK(st->st_mode))
		return slv_source_became_link(path, err);
	return open_path(path, O_NOFOLLOW, out, st, err);
}

void
slv_source_onward(struct slv_source *s)
{
	int fd = slv_source_fd(s);

	if (fd >= 0)
		(void)slv_sys.onward(fd);
}

int
slv_source_fd(const struct slv_source *s)
{
	return s->ops == &file_ops ? ((const struct file_source *)s)->fd : -1;
}

int
slv_source_plain(const struct slv_source *s, uint64_t off, uint64_t end)
{
	return slv_ranges_hit(&s->unreadable, off, end - off)
	    ? -1
	    : slv_source_fd(s);
}

bool
slv_source_read_fd(int fd, uint64_t off, uint8_t *buf, size_t n)
{
	size_t done;

	return pread_all(fd, buf, n, off, &done) == 0 && done == n;
}

static enum slv_status
memory_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	(void)err;
	memcpy(buf, ((struct memory_source *)s)->bytes + off, n);
	return SLV_OK;
}

static void
memory_close(struct slv_source *s)
{
	slv_buf_free(&((struct memory_source *)s)->own);
	slv_free(s);
}

static const struct slv_source_ops memory_ops = {
	.read = memory_read,
	.close = memory_close,
};

enum slv_status
slv_source_memory(
    const void *bytes, size_t n, struct slv_source **out, struct slv_err *err)
{
	struct memory_source *m = slv_calloc(1, sizeof(*m));

	if (m == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	m->base.ops = &memory_ops;
	m->base.name = "memory";
	m->base.size = n;
	m->bytes = bytes;
	*out = &m->base;
	return SLV_OK;
}

enum slv_status
slv_source_buffer(struct slv_buf *buf, const char *name,
    struct slv_source **out, struct slv_err *err)
{
	enum slv_status st = slv_source_memory(buf->at, buf->len, out, err);

	if (st == SLV_OK) {
		(*out)->name = name;
		((struct memory_source *)*out)->own = *buf;
		*buf = (struct slv_buf){ 0 };
	}
	slv_buf_free(buf);
	return st;
}
