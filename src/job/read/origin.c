/* origin.c - find the place in the input of each byte that is read. */
#include "job/read/origin.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"

static int
compare_gaps(const void *p, const void *q)
{
	const struct slv_range *a = p, *b = q;

	return a->off < b->off ? -1 : a->off > b->off;
}

/* The gaps, by their places in the input: a view may have them in another order. */
static enum slv_status
sort_gaps(struct slv_origins *o, struct slv_err *err)
{
	const struct slv_gap_list *from = &o->report->gaps;

	o->gaps = slv_calloc(from->n + 1, sizeof(*o->gaps));
	if (o->gaps == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < from->n; i++)
		o->gaps[i] = (struct slv_range){ from->at[i].off,
			from->at[i].off + from->at[i].len };
	o->n_gaps = from->n;
	slv_sort(o->gaps, o->n_gaps, sizeof(*o->gaps), compare_gaps);
	return SLV_OK;
}

/* The first gap that does not end before off. */
static size_t
gap_from(const struct slv_origins *o, uint64_t off)
{
	struct slv_search f = { .high = o->n_gaps };

	while (slv_search(&f))
		slv_search_on(&f, o->gaps[f.mid].end < off);
	return f.low;
}

/* Is any gap in the bytes [off, end) of the input, or, if it has no bytes, at one of
 * both ends? */
static bool
is_lost(const struct slv_origins *o, uint64_t off, uint64_t end)
{
	for (size_t i = gap_from(o, off);
	     i < o->n_gaps && o->gaps[i].off <= end; i++) {
		const struct slv_range *g = &o->gaps[i];

		if (g->off == g->end || (g->off < end && g->end > off))
			return true;
	}
	return false;
}

static enum slv_status
add_loss(
    struct slv_origins *o, uint64_t from, uint64_t upto, struct slv_err *err)
{
	SLV_TRY(
	    slv_grow(&o->losses, &o->cap, o->n + 1, sizeof(*o->losses), err));
	o->losses[o->n++] = (struct slv_loss){ from, upto };
	return SLV_OK;
}

/* Add the gaps without bytes that are inside a copied range. */
static enum slv_status
add_within(
    struct slv_origins *o, const struct slv_plan_line *l, struct slv_err *err)
{
	for (size_t i = gap_from(o, l->in + 1);
	     i < o->n_gaps && o->gaps[i].off < l->in + l->len; i++) {
		uint64_t at = l->out + (o->gaps[i].off - l->in);

		if (o->gaps[i].off > l->in)
			SLV_TRY(add_loss(o, at, at, err));
	}
	return SLV_OK;
}

enum slv_status
slv_origins_find(struct slv_origins *o, const struct slv_report *r,
    uint64_t size, struct slv_err *err)
{
	uint64_t in = 0, out = 0; /* where the last copied bytes end */

	o->report = r;
	SLV_TRY(sort_gaps(o, err));
	for (size_t i = 0; i < r->n_plan && o->n_gaps > 0; i++) {
		const struct slv_plan_line *l = &r->plan[i];

		if (l->kind != SLV_SEG_COPY)
			continue;
		/* In a view, pieces may be in another order. */
		if (l->in < in || is_lost(o, in, l->in))
			SLV_TRY(add_loss(o, out, l->out, err));
		SLV_TRY(add_within(o, l, err));
		in = l->in + l->len;
		out = l->out + l->len;
	}
	if (out < size && is_lost(o, in, r->size))
		return add_loss(o, out, size, err);
	return SLV_OK;
}

/* The line with byte off of what is read; the one of an earlier question, or the
 * next one, is likely. */
static size_t
find_line(const struct slv_report *r, uint64_t off, size_t likely)
{
	struct slv_search f = { .high = r->n_plan };

	for (size_t i = likely; i < r->n_plan && i < likely + 2; i++) {
		if (off >= r->plan[i].out
		    && off - r->plan[i].out < r->plan[i].len)
			return i;
	}
	while (slv_search(&f))
		slv_search_on(&f, r->plan[f.mid].out <= off);
	return slv_search_last(&f);
}

/* Is a finding that leaves bytes in doubt about [off, end) of the input? */
static bool
is_suspect(const struct slv_report *r, uint64_t off, uint64_t end)
{
	struct slv_search f = { .high = r->n_problems };

	/* They are in order of their offsets, and may be long: only those that
	 * begin in the range are about it, and not about all around it. */
	while (slv_search(&f))
		slv_search_on(&f, r->problems[f.mid].off < off);
	for (size_t i = f.low; i < r->n_problems && r->problems[i].off < end;
	     i++) {
		const struct slv_problem *p = &r->problems[i];

		if (p->info->risk >= SLV_RISK_UNPROVEN && p->len > 0
		    && p->len <= end - off)
			return true;
	}
	return false;
}

struct slv_origin
slv_origin_of(
    const struct slv_origins *o, uint64_t off, uint64_t len, size_t *line)
{
	const struct slv_report *r = o->report;
	struct slv_origin out = { .off = off, .copied = true };
	size_t i = find_line(r, off, *line);
	const struct slv_plan_line *l;

	*line = i;
	if (r->n_plan == 0)
		return out;
	l = &r->plan[i];
	out.copied = l->kind == SLV_SEG_COPY && len <= l->len - (off - l->out);
	if (l->kind == SLV_SEG_COPY) {
		out.off = l->in + (off - l->out);
	} else if (i + 1 < r->n_plan && r->plan[i + 1].kind == SLV_SEG_COPY
	    && r->plan[i + 1].out < off + len) {
		out.off = r->plan[i + 1].in;
	} else {
		out.made = true;
		out.off = i > 0 ? r->plan[i - 1].in + r->plan[i - 1].len : 0;
	}
	out.suspect = !out.made && is_suspect(r, out.off, out.off + len);
	return out;
}

void
slv_origins_free(struct slv_origins *o)
{
	slv_free(o->gaps);
	slv_free(o->losses);
}
