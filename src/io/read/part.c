/* part.c - a range of a source as a source of its own. */
#include "io/read/part.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

struct part_source {
	struct slv_source base;
	struct slv_source *whole; /* borrowed */
	uint64_t off;             /* its offset in the whole */
};

/* Copy the whole's ranges inside [off, off + len) of the part. */
static enum slv_status
inherit(const struct part_source *ps, const struct slv_ranges *theirs,
    uint64_t off, uint64_t len, struct slv_ranges *ours, struct slv_err *err)
{
	uint64_t from = ps->off + off, to = from + len;
	const struct slv_range *r = slv_ranges_from(theirs, from);

	for (; r != NULL && r < theirs->at + theirs->n && r->off < to; r++) {
		uint64_t at = slv_max64(r->off, from);

		SLV_TRY(slv_ranges_add(
		    ours, at - ps->off, slv_min64(r->end, to) - at, err));
	}
	return SLV_OK;
}

static enum slv_status
part_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct part_source *ps = (struct part_source *)s;

	SLV_TRY(slv_source_read(ps->whole, ps->off + off, buf, n, err));
	return inherit(ps, &ps->whole->unreadable, off, n, &s->unreadable, err);
}

static enum slv_status
part_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	struct part_source *ps = (struct part_source *)s;
	struct slv_ranges theirs = { 0 };
	enum slv_status st =
	    slv_source_unwritten(ps->whole, ps->off + off, len, &theirs, err);

	if (st == SLV_OK)
		st = inherit(ps, &theirs, off, len, out, err);
	slv_ranges_free(&theirs);
	return st;
}

static void
part_close(struct slv_source *s)
{
	slv_free(s);
}

static const struct slv_source_ops part_ops = {
	.read = part_read,
	.unwritten = part_unwritten,
	.close = part_close,
};

enum slv_status
slv_source_part(struct slv_source *whole, uint64_t off, uint64_t len,
    struct slv_source **out, struct slv_err *err)
{
	struct part_source *ps = slv_calloc(1, sizeof(*ps));

	if (ps == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	ps->base.ops = &part_ops;
	ps->base.size = len;
	ps->base.name = whole->name;
	ps->base.packing = whole->packing;
	ps->whole = whole;
	ps->off = off;
	*out = &ps->base;
	SLV_TRY(
	    inherit(ps, &whole->unreadable, 0, len, &ps->base.unreadable, err));
	return inherit(ps, &whole->unrescued, 0, len, &ps->base.unrescued, err);
}
