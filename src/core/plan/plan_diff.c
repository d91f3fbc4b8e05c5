/* plan_diff.c - a plan compared with its input. */
#include "core/plan/plan_diff.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/format/format.h"

#define CHUNK ((size_t)64 << 10) /* bytes compared at once */

/* Return true if the segment copies bytes to the place where they are. */
static bool
stays(const struct slv_seg *seg)
{
	return seg->kind == SLV_SEG_COPY && seg->arg == seg->out;
}

/* The next patch of the input at or after `from`; false: none before `to`. */
static bool
next_patch(
    const struct slv_plan *p, uint64_t from, uint64_t to, struct slv_range *out)
{
	size_t i = p->mends != NULL ? slv_mends_from(p->mends, from) : 0;

	if (p->mends == NULL || i == p->mends->n || p->mends->at[i].off >= to)
		return false;
	out->off = slv_max64(from, p->mends->at[i].off);
	out->end = slv_min64(to, p->mends->at[i].off + p->mends->at[i].len);
	return true;
}

bool
slv_plan_next_change(
    const struct slv_plan *p, uint64_t from, struct slv_range *out)
{
	size_t i;

	if (from >= p->size)
		return false;
	for (i = slv_plan_find(p, from); i < p->n && stays(&p->at[i]); i++) {
		uint64_t end = p->at[i].out + p->at[i].len;

		/* What stays is the input with its patches. */
		if (next_patch(p, slv_max64(from, p->at[i].out), end, out))
			return true;
	}
	if (i == p->n)
		return false;
	out->off = slv_max64(from, p->at[i].out);
	while (i < p->n && !stays(&p->at[i]))
		i++;
	out->end = i < p->n ? p->at[i].out : p->size;
	return true;
}

/* Return true if the output has all of [off, end) of the input at the same
 * place too. */
static bool
is_there_too(const struct slv_plan *p, uint64_t off, uint64_t end)
{
	while (off < end) {
		const struct slv_seg *seg;

		if (off >= p->size)
			return false;
		seg = &p->at[slv_plan_find(p, off)];
		if (!stays(seg))
			return false;
		off = seg->out + seg->len;
	}
	return true;
}

static bool
is_recorded(const struct slv_extent *x)
{
	return (x->part == SLV_PART_DATA || x->part == SLV_PART_PACK)
	    && (x->fate == SLV_KEPT || x->fate == SLV_REBUILT);
}

bool
slv_plan_moves(const struct slv_plan *p, const struct slv_catalog *c,
    struct slv_range *what, uint64_t *to)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct slv_seg *seg = &p->at[i];
		uint64_t end = seg->arg + seg->len;

		if (seg->kind != SLV_SEG_COPY || stays(seg))
			continue;
		for (size_t k = slv_catalog_find(c, seg->arg);
		     k < c->n && c->at[k].off < end; k++) {
			const struct slv_extent *x = &c->at[k];

			what->off = slv_max64(seg->arg, x->off);
			what->end = slv_min64(end, x->off + x->len);
			*to = seg->out + (what->off - seg->arg);
			if (is_recorded(x)
			    && !is_there_too(p, what->off, what->end))
				return true;
		}
	}
	return false;
}

/* Extend the last range if the next one is near. */
static enum slv_status
note(struct slv_ranges *out, uint64_t off, uint64_t end, struct slv_err *err)
{
	struct slv_range *last = out->n > 0 ? &out->at[out->n - 1] : NULL;

	if (last != NULL && off - last->end < SLV_SECTOR) {
		last->end = end;
		return SLV_OK;
	}
	return slv_ranges_add(out, off, end - off, err);
}

struct comparing {
	struct slv_source *plan, *raw;
	uint8_t *a, *b; /* CHUNK bytes each */
	struct slv_ranges *out;
};

static enum slv_status
compare(struct comparing *c, struct slv_range r, struct slv_err *err)
{
	for (uint64_t off = r.off; off < r.end;) {
		size_t n = (size_t)slv_min64(r.end - off, CHUNK);

		SLV_TRY(slv_source_read(c->plan, off, c->a, n, err));
		SLV_TRY(slv_source_read(c->raw, off, c->b, n, err));
		for (size_t i = 0, k; i < n; i = k) {
			for (; i < n && c->a[i] == c->b[i]; i++)
				;
			for (k = i; k < n && c->a[k] != c->b[k]; k++)
				;
			if (k > i)
				SLV_TRY(note(c->out, off + i, off + k, err));
		}
		off += n;
	}
	return SLV_OK;
}

enum slv_status
slv_plan_patches(const struct slv_plan *p, struct slv_source *raw,
    struct slv_ranges *out, struct slv_err *err)
{
	struct comparing c = { .raw = raw, .out = out };
	uint64_t both = slv_min64(p->size, raw->size);
	struct slv_range r;
	enum slv_status st;

	SLV_TRY(slv_plan_source(p, &c.plan, err));
	c.a = slv_realloc(NULL, 2 * CHUNK);
	st = c.a != NULL ? SLV_OK : slv_fail(err, SLV_E_NOMEM, "out of memory");
	c.b = c.a != NULL ? c.a + CHUNK : NULL;
	for (uint64_t at = 0;
	     st == SLV_OK && slv_plan_next_change(p, at, &r) && r.off < both;
	     at = r.end) {
		r.end = slv_min64(r.end, both);
		st = compare(&c, r, err);
	}
	slv_free(c.a);
	slv_source_close(c.plan);
	return st;
}
