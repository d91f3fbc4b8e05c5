/* sink.c - bytes out: descriptors, devices and memory. */
#include "io/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/sys.h"

struct fd_sink {
	struct slv_sink base;
	int fd;
	bool owned; /* opened by us */
	const char *name;
};

struct memory_sink {
	struct slv_sink base;
	struct slv_buf *buf;
};

enum slv_status
slv_write_all(
    int fd, const char *name, const void *bytes, size_t n, struct slv_err *err)
{
	const uint8_t *at = bytes;

	while (n > 0) {
		ssize_t put = slv_sys.write(fd, at, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put == 0)
			errno = EIO;
		if (put <= 0)
			return slv_fail_errno(err, "%s: cannot write", name);
		at += put;
		n -= (size_t)put;
	}
	return SLV_OK;
}

static enum slv_status
fd_write(struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct fd_sink *f = (struct fd_sink *)s;

	SLV_TRY(slv_write_all(f->fd, f->name, bytes, n, err));
	s->n += n;
	return SLV_OK;
}

static enum slv_status
fd_commit(struct slv_sink *s, struct slv_err *err)
{
	struct fd_sink *f = (struct fd_sink *)s;
	enum slv_status st = SLV_OK;

	/* What cannot be synced, such as a FIFO, says EINVAL. */
	if (f->owned && slv_sys.fsync(f->fd) < 0 && errno != EINVAL
	    && errno != ENOTSUP && errno != EROFS)
		st = slv_fail_errno(err, "%s: fsync", f->name);
	if (f->owned && slv_sys.close(f->fd) < 0 && st == SLV_OK)
		st = slv_fail_errno(err, "%s: cannot finish writing", f->name);
	free(f);
	return st;
}

static void
fd_discard(struct slv_sink *s)
{
	struct fd_sink *f = (struct fd_sink *)s;

	if (f->owned)
		slv_sys.close(f->fd);
	free(f);
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

enum slv_status
slv_sink_device(const char *path, struct slv_sink **out, struct slv_err *err)
{
	int fd = slv_sys.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);

	if (fd < 0)
		return slv_fail_errno(err, "%s: cannot open for writing", path);
	if (isatty(fd)) {
		slv_sys.close(fd);
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: is a terminal; a log is not for the eye", path);
	}
	if (slv_sink_fd(fd, path, out, err) != SLV_OK) {
		slv_sys.close(fd);
		return SLV_E_NOMEM;
	}
	((struct fd_sink *)*out)->owned = true;
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

static enum slv_status
memory_commit(struct slv_sink *s, struct slv_err *err)
{
	(void)err;
	free(s);
	return SLV_OK;
}

static void
memory_discard(struct slv_sink *s)
{
	free(s);
}

static const struct slv_sink_ops memory_ops = {
	.write = memory_write,
	.commit = memory_commit,
	.discard = memory_discard,
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
