/* served.c - a source of bytes that a caller supplies. */
#include "job/input/served.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* A source of the caller's. */
struct input_source {
	struct slv_source base;
	struct slv_input input;
};

static int
call(const struct slv_input *in, uint64_t off, uint8_t *buf, size_t n)
{
	return in->read_at(in->ctx, off, buf, n);
}

static enum slv_status
refuse(const struct slv_source *s, int bad, uint64_t off, struct slv_err *err)
{
	if (bad == ECANCELED)
		return slv_fail(err, SLV_E_CANCELLED, "stopped");
	errno = bad;
	return slv_fail_errno(
	    err, "%s: cannot read at %llu", s->name, (unsigned long long)off);
}

/* Read what can be read of n bytes, sector by sector. */
static enum slv_status
read_sectors(struct input_source *s, uint64_t off, uint8_t *buf, size_t n,
    struct slv_err *err)
{
	while (n > 0) {
		size_t part =
		    (size_t)slv_min64(n, SLV_SECTOR - off % SLV_SECTOR);
		int bad = call(&s->input, off, buf, part);

		if (bad != 0 && bad != EIO)
			return refuse(&s->base, bad, off, err);
		if (bad != 0) {
			memset(buf, 0, part);
			SLV_TRY(slv_ranges_add(
			    &s->base.unreadable, off, part, err));
		}
		off += part;
		buf += part;
		n -= part;
	}
	return SLV_OK;
}

static enum slv_status
input_read(struct slv_source *source, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct input_source *s = (struct input_source *)source;
	int bad = call(&s->input, off, buf, n);

	if (bad == EIO)
		return read_sectors(s, off, buf, n, err);
	if (bad == 0)
		return SLV_OK;
	return refuse(source, bad, off, err);
}

static void
input_close(struct slv_source *source)
{
	struct input_source *s = (struct input_source *)source;

	if (s->input.close != NULL)
		s->input.close(s->input.ctx);
	slv_free(s);
}

static const struct slv_source_ops input_ops = {
	.read = input_read,
	.close = input_close,
};

enum slv_status
slv_served_source(const struct slv_input *input, const char *name,
    struct slv_source **out, struct slv_err *err)
{
	struct input_source *s = slv_calloc(1, sizeof(*s));

	if (s == NULL) {
		if (input->close != NULL)
			input->close(input->ctx);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	s->base.ops = &input_ops;
	s->base.size = input->size;
	s->base.name = name;
	s->input = *input;
	*out = &s->base;
	return SLV_OK;
}
