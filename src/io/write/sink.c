/* sink.c - bytes out: descriptors, devices and memory. */
#include "io/write/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/names/link.h"
#include "io/names/named.h"
#include "io/sys.h"

struct fd_sink {
	struct slv_sink base;
	int fd;
	bool owned; /* opened by us */
	const char *name;
	const volatile sig_atomic_t *cancel; /* or NULL */
};

struct memory_sink {
	struct slv_sink base;
	struct slv_buf *buf;
};

static enum slv_status
cannot_write(const char *name, ssize_t put, struct slv_err *err)
{
	if (put == 0)
		errno = EIO;
	return slv_fail_errno(err, "%s: cannot write", name);
}

enum slv_status
slv_write_all(
    int fd, const char *name, const void *bytes, size_t n, struct slv_err *err)
{
	const uint8_t *at = bytes;

	while (n > 0) {
		ssize_t put = slv_sys.write(fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return cannot_write(name, put, err);
		at += put;
		n -= (size_t)put;
	}
	return SLV_OK;
}

/* Wait for the reader.  After a cancel it still gets the rest, if it reads at
 * all. */
static enum slv_status
wait_for_room(const struct fd_sink *f, struct slv_err *err)
{
	struct slv_err why = { 0 };
	enum slv_status st =
	    slv_await(f->fd, SLV_AWAIT_ROOM, f->cancel, f->name, &why);

	if (st == SLV_OK
	    || (st == SLV_E_CANCELLED && slv_sys.wait(f->fd, true) > 0))
		return SLV_OK;
	return slv_fail(err, st, "%s", why.text);
}

static enum slv_status
fd_write(struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct fd_sink *f = (struct fd_sink *)s;
	const uint8_t *at = bytes;

	while (n > 0) {
		ssize_t put = slv_sys.write(f->fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0 && errno == EAGAIN) {
			SLV_TRY(wait_for_room(f, err));
			continue;
		}
		if (put <= 0)
			return cannot_write(f->name, put, err);
		at += put;
		n -= (size_t)put;
		s->n += (uint64_t)put;
	}
	return SLV_OK;
}

static enum slv_status
fd_commit(struct slv_sink *s, struct slv_err *err)
{
	struct fd_sink *f = (struct fd_sink *)s;
	enum slv_status st = SLV_OK;

	/* A file that cannot be synced, such as a FIFO, returns EINVAL. */
	if (f->owned && slv_sys.fsync(f->fd) < 0 && errno != EINVAL
	    && errno != ENOTSUP && errno != EROFS)
		st = slv_fail_errno(err, "%s: fsync", f->name);
	if (f->owned && slv_sys.close(f->fd) < 0 && st == SLV_OK)
		st = slv_fail_errno(err, "%s: cannot finish writing", f->name);
	slv_free(f);
	return st;
}

static void
fd_discard(struct slv_sink *s)
{
	struct fd_sink *f = (struct fd_sink *)s;

	if (f->owned)
		slv_sys.close(f->fd);
	slv_free(f);
}

static const struct slv_sink_ops fd_ops = {
	.write = fd_write,
	.commit = fd_commit,
	.discard = fd_discard,
};

enum slv_status
slv_sink_fd(
    int fd, const char *name, struct slv_sink **out, struct slv_err *err)
{
	struct fd_sink *f = slv_calloc(1, sizeof(*f));

	if (f == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	f->base.ops = &fd_ops;
	f->fd = fd;
	f->name = name;
	*out = &f->base;
	return SLV_OK;
}

/* Open a FIFO when it has a reader; anything else at once. */
static enum slv_status
open_through(const char *path, const volatile sig_atomic_t *cancel, int *fd,
    struct slv_err *err)
{
	struct stat st;

	for (;;) {
		struct slv_err why = { 0 };

		if (slv_link_open(
		        path, O_WRONLY | O_NOCTTY | O_NONBLOCK, fd, &why)
		    == SLV_OK)
			return SLV_OK;
		if (why.os != ENXIO || slv_sys.stat(path, &st) < 0) {
			*err = why;
			return why.code;
		}
		if (!S_ISFIFO(st.st_mode))
			return slv_fail(err, SLV_E_USAGE,
			    "%s: is %s; name a file, a pipe or a device", path,
			    slv_named_kind(&st, -1));
		SLV_TRY(slv_await(-1, SLV_AWAIT_ROOM, cancel, path, err));
	}
}

/* Anything but a FIFO is written in blocking mode: a device may behave
 * differently in non-blocking mode. */
static enum slv_status
prepare(int fd, const char *path, struct slv_err *err)
{
	struct stat st;
	int flags;

	if (isatty(fd))
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is a terminal; a log is not for the eye", path);
	if (slv_sys.fstat(fd, &st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", path);
	/* A file would be overwritten, which was not requested. */
	if (S_ISREG(st.st_mode))
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced by a file while it was opened", path);
	if (S_ISFIFO(st.st_mode))
		return SLV_OK;
	flags = slv_sys.fcntl(fd, F_GETFL, 0);
	if (flags < 0 || slv_sys.fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return slv_fail_errno(err, "%s: cannot open for writing", path);
	return SLV_OK;
}

enum slv_status
slv_sink_device(const char *path, const volatile sig_atomic_t *cancel,
    struct slv_sink **out, struct slv_err *err)
{
	enum slv_status st;
	struct fd_sink *f;
	int fd;

	SLV_TRY(open_through(path, cancel, &fd, err));
	st = prepare(fd, path, err);
	if (st == SLV_OK)
		st = slv_sink_fd(fd, path, out, err);
	if (st != SLV_OK) {
		slv_sys.close(fd);
		return st;
	}
	f = (struct fd_sink *)*out;
	f->owned = true;
	f->cancel = cancel;
	return SLV_OK;
}

static enum slv_status
memory_write(
    struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct slv_buf *buf = ((struct memory_sink *)s)->buf;

	slv_buf_add(buf, bytes, n);
	if (buf->failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	s->n += n;
	return SLV_OK;
}

enum slv_status
slv_sink_free_commit(struct slv_sink *s, struct slv_err *err)
{
	(void)err;
	slv_free(s);
	return SLV_OK;
}

void
slv_sink_free_discard(struct slv_sink *s)
{
	slv_free(s);
}

static const struct slv_sink_ops memory_ops = {
	.write = memory_write,
	.commit = slv_sink_free_commit,
	.discard = slv_sink_free_discard,
};

enum slv_status
slv_sink_memory(struct slv_buf *buf, struct slv_sink **out, struct slv_err *err)
{
	struct memory_sink *m = slv_calloc(1, sizeof(*m));

	if (m == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	m->base.ops = &memory_ops;
	m->buf = buf;
	*out = &m->base;
	return SLV_OK;
}
