/* slurp.c - read a small file as a whole. */
#include "io/slurp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
read_all(int fd, const char *name, size_t most, struct slv_buf *out,
    struct slv_err *err)
{
	char *room = slv_realloc(NULL, ROOM);
	enum slv_status st = SLV_OK;
	ssize_t n = 1;

	if (room == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && n != 0) {
		n = slv_sys.read(fd, room, ROOM);
		if (n > 0)
			slv_buf_add(out, room, (size_t)n);
		else if (n < 0 && errno != EINTR)
			st = slv_fail_errno(err, "%s: cannot read it", name);
		if (out->failed)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		else if (out->len > most)
			st = slv_fail(err, SLV_E_USAGE,
			    "%s: is too long for what it should be", name);
	}
	free(room);
	return st;
}

enum slv_status
slv_slurp_path(
    const char *path, size_t most, struct slv_buf *out, struct slv_err *err)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? 0 : slv_sys.open(path, O_RDONLY | O_CLOEXEC, 0);
	enum slv_status st;

	if (fd < 0)
		return slv_fail_errno(err, "%s: cannot open it", path);
	st = read_all(fd, path, most, out, err);
	if (!standard)
		slv_sys.close(fd);
	return st;
}
