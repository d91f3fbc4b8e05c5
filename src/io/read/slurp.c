/* slurp.c - read a small file as a whole. */
#include "io/read/slurp.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "io/names/named.h"
#include "io/sys.h"

#define ROOM ((size_t)64 << 10) /* bytes read at once */

enum slv_status
slv_slurp(struct slv_source *s, struct slv_buf *out, struct slv_err *err)
{
	uint8_t bytes[4096];

	for (uint64_t off = 0; off < s->size; off += sizeof(bytes)) {
		uint64_t left = s->size - off;
		size_t n = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);

		SLV_TRY(slv_source_read(s, off, bytes, n, err));
		slv_buf_add(out, bytes, n);
		if (out->failed)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	if (s->unreadable.n > 0)
		return slv_fail(err, SLV_E_IO, "%s: cannot read", s->name);
	return SLV_OK;
}

static enum slv_status
read_some(int fd, const struct slv_slurp *how, const char *name, char *room,
    size_t *got, struct slv_err *err)
{
	ssize_t n;

	do {
		SLV_TRY(slv_await(fd, SLV_AWAIT_INPUT, how->cancel, name, err));
		do
			n = slv_sys.read(fd, room, ROOM);
		while (n < 0 && errno == EINTR);
	} while (n < 0 && errno == EAGAIN);
	if (n < 0)
		return slv_fail_errno(err, "%s: cannot read it", name);
	*got = (size_t)n;
	return SLV_OK;
}

static enum slv_status
read_all(int fd, const struct slv_slurp *how, const char *name,
    struct slv_buf *out, struct slv_err *err)
{
	char *room = slv_realloc(NULL, ROOM);
	enum slv_status st = SLV_OK;
	size_t n = 1;

	if (room == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && n != 0) {
		st = read_some(fd, how, name, room, &n, err);
		if (st == SLV_OK)
			slv_buf_add(out, room, n);
		if (out->failed)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		else if (how->most > 0 && out->len > how->most)
			st = slv_fail(err, SLV_E_USAGE,
			    "%s: is too long for %s", name, how->what);
	}
	slv_free(room);
	return st;
}

enum slv_status
slv_slurp_path(const char *path, const struct slv_slurp *how,
    struct slv_buf *out, struct slv_err *err)
{
	const struct slv_named named = {
		.what = how->what,
		.stream = !how->plain,
		.flags = O_RDONLY | (how->plain ? O_NOFOLLOW : 0),
	};
	enum slv_status st;
	int fd;

	SLV_TRY(slv_named_open(path, &named, &fd, err));
	st = read_all(fd, how, path, out, err);
	slv_sys.close(fd);
	return st;
}

off_t
slv_next_data(int fd, off_t at)
{
	struct stat st;
	off_t to;

	if (slv_sys.fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return at;
	to = slv_sys.lseek(fd, at, SEEK_DATA);
	if (to < 0 && errno == ENXIO)
		to = st.st_size;
	return to > at ? to : at;
}
