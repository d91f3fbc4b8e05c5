/* heads.c - where logs begin in what a scan left out, and what they contain.
 *
 * What was left out is searched once for the beginnings of all formats.  Each
 * log that begins there is scanned up to the next beginning.  A log that
 * continues there, as if its payload carried the next one, is scanned up to the
 * end.
 */
#include "job/readings/heads.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "core/readings/begun.h"
#include "io/read/part.h"

#define HEADS  1024                /* beginnings that are examined, in all */
#define BACK   ((uint64_t)1 << 20) /* bytes of most blocks */
#define STRIDE ((uint64_t)1 << 16) /* bytes searched at once */

/* Note each beginning in [from, to), of all formats. */
static enum slv_status
search(struct slv_heads *h, uint64_t from, uint64_t to, struct slv_err *err)
{
	for (size_t i = 0; h->a->formats[i] != NULL; i++) {
		const struct slv_format *f = h->a->formats[i];
		uint64_t off = from;

		while (h->n < HEADS) {
			SLV_TRY(
			    slv_begun_next(&h->probe, f, off, to, &off, err));
			if (off >= to)
				break;
			SLV_TRY(slv_grow(
			    &h->at, &h->cap, h->n + 1, sizeof(*h->at), err));
			h->at[h->n++] =
			    (struct slv_head){ .off = off++, .format = f };
		}
	}
	return SLV_OK;
}

/* The same, except for what the file system says was never written. */
static enum slv_status
search_written(
    struct slv_heads *h, uint64_t from, uint64_t to, struct slv_err *err)
{
	const struct slv_ranges *holes = &h->a->scan.holes;

	while (from < to) {
		const struct slv_range *hole = slv_ranges_from(holes, from);
		uint64_t upto = hole == NULL
		    ? to
		    : slv_min64(slv_max64(hole->off, from), to);

		/* All formats before the next bytes are read. */
		for (; from < upto; from += slv_min64(STRIDE, upto - from))
			SLV_TRY(search(h, from,
			    from + slv_min64(STRIDE, upto - from), err));
		from = hole == NULL ? to : slv_max64(hole->end, upto);
	}
	return SLV_OK;
}

int
slv_heads_compare(const void *a, const void *b)
{
	const struct slv_head *x = a, *y = b;

	return (x->off > y->off) - (x->off < y->off);
}

/* In everything that is not kept, and in kept bytes shortly before it: the last
 * block of a cut log may have got its missing bytes from the next log. */
enum slv_status
slv_heads_find(struct slv_heads *h, struct slv_err *err)
{
	const struct slv_scan *s = &h->a->scan;
	const struct slv_catalog *c = &s->catalog;
	uint64_t size = s->source->size, done = 0;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *e = &c->at[i];
		uint64_t off =
		    slv_max64(e->off - slv_min64(e->off, BACK), done);

		if (e->fate == SLV_KEPT)
			continue;
		done = slv_min64(e->off + e->len + SLV_HEAD, size);
		if (off < done)
			SLV_TRY(search_written(h, off, done, err));
	}
	h->doubtful = h->n == HEADS;
	slv_sort(h->at, h->n, sizeof(*h->at), slv_heads_compare);
	for (size_t i = 0; i < h->n; i++) {
		if (h->at[i].off != s->base)
			h->at[n++] = h->at[i];
	}
	h->n = n;
	return SLV_OK;
}

/* The result of scanning part of the file for the log at its start. */
static void
weigh(const struct slv_scan *s, struct slv_head *x)
{
	const struct slv_catalog *c = &s->catalog;

	x->records = s->units_kept;
	x->kept = c->sums[SLV_KEPT] + c->sums[SLV_REBUILT];
	x->end = x->kept_upto = x->made_upto = x->off;
	x->whole_upto = UINT64_MAX;
	for (size_t i = 0; i < c->n; i++) {
		uint64_t end = x->off + c->at[i].off + c->at[i].len;

		if (c->at[i].fate != SLV_FILLER)
			x->end = end;
		if (c->at[i].fate == SLV_LOST || c->at[i].fate == SLV_FOREIGN)
			x->whole_upto =
			    slv_min64(x->whole_upto, x->off + c->at[i].off);
		if (c->at[i].fate == SLV_KEPT)
			x->kept_upto = x->made_upto = end;
		else if (c->at[i].fate == SLV_REBUILT)
			x->made_upto = end;
	}
	x->ends = s->end != SLV_END_UNKNOWN && c->sums[SLV_LOST] == 0
	    && c->sums[SLV_FOREIGN] == 0 && !s->absent;
	x->complete = x->ends || slv_scan_is_sound(s);
}

/* Scan the log at x up to an offset.
 *
 *   *goes_on  the place `next` is inside one of its blocks */
static enum slv_status
scan_part(struct slv_heads *h, struct slv_head *x, uint64_t upto, uint64_t next,
    bool *goes_on, struct slv_err *err)
{
	const struct slv_format *const only[] = { x->format, NULL };
	struct slv_scan_options opt = {
		.limits = h->how->limits,
		.time_window = h->how->time_window,
		.settings = h->how->settings,
		.no_digest = true,
		.nameless = true,
		.cancel = h->how->cancel,
	};
	struct slv_err why = { .code = SLV_OK };
	struct slv_source *part;
	struct slv_scan s;
	enum slv_status st;

	*goes_on = false;
	x->records = 0;
	x->ends = x->complete = false;
	if (h->budget < upto - x->off)
		return SLV_OK;
	h->budget -= upto - x->off;
	SLV_TRY(slv_source_part(h->a->read, x->off, upto - x->off, &part, err));
	st = slv_scan_run(&s, part, only, &opt, &why);
	if (st == SLV_OK && s.format != NULL && s.base == 0)
		weigh(&s, x);
	if (x->records > 0 && next < upto) {
		size_t i = slv_catalog_find(&s.catalog, next - x->off);
		const struct slv_extent *e = &s.catalog.at[i];

		*goes_on = e->fate == SLV_KEPT && x->off + e->off < next;
	}
	slv_scan_free(&s);
	slv_source_close(part);
	/* A log that takes too much memory does not count. */
	if (st != SLV_OK && st != SLV_E_LIMIT)
		*err = why;
	return st == SLV_E_LIMIT ? SLV_OK : st;
}

/* Find the end of the log at x, at most `limit`, and what it contains. */
static enum slv_status
measure(struct slv_heads *h, struct slv_head *x, uint64_t next, uint64_t limit,
    struct slv_err *err)
{
	struct slv_head longer = *x;
	bool goes_on;

	SLV_TRY(scan_part(h, x, next, next, &goes_on, err));
	if (x->complete || next >= limit)
		return SLV_OK;
	SLV_TRY(scan_part(h, &longer, limit, next, &goes_on, err));
	if (goes_on && longer.kept > x->kept)
		*x = longer;
	return SLV_OK;
}

/* Of the beginnings in [from, to) keep those of logs with at least one record,
 * or that are whole without one.  A log that one of them carries does not
 * count. */
enum slv_status
slv_heads_confirm(struct slv_heads *h, uint64_t from, uint64_t to, size_t *n,
    struct slv_err *err)
{
	uint64_t done = from;

	for (size_t i = 0; i < h->n; i++) {
		struct slv_head x = h->at[i];
		uint64_t next = i + 1 < h->n ? h->at[i + 1].off : to;

		if (x.off < done || x.off >= to)
			continue;
		SLV_TRY(measure(h, &x, slv_min64(next, to), to, err));
		h->doubtful |= x.records == 0 && !x.ends;
		if (x.records == 0 && !x.ends)
			continue;
		done = x.end;
		h->at[(*n)++] = x;
	}
	return SLV_OK;
}
