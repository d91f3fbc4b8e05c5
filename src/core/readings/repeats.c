/* repeats.c - whole records inside damage that are elsewhere in the log too. */
#include "core/readings/repeats.h"

#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "core/compare.h"
#include "core/readings/twins.h"
#include "core/sweep.h"

#define LONGEST   ((uint64_t)64 << 10) /* bytes of a range */
#define STRETCHES 8                    /* ranges that are searched, at most */
#define TORN      16                   /* damaged ranges of the log, at most */
#define HITS      64                   /* places compared for each range */
#define MARK      48                   /* bytes that identify a range */
#define UNITS     256                  /* examined to find a time */

/* A range, and its other place. */
struct search {
	struct slv_scan *s;
	struct slv_range stretch;
	uint8_t mark[MARK];
	unsigned hits;
	uint64_t twin, len; /* offset of the longest equal part elsewhere, and
			     * its length */
};

bool
slv_extent_is_torn(const struct slv_extent *x)
{
	return x->fate == SLV_LOST
	    || (x->fate != SLV_KEPT && x->part == SLV_PART_DATA);
}

/* The first extent from i on that is not rebuilt. */
static size_t
pass_rebuilt(const struct slv_catalog *c, size_t i)
{
	while (i < c->n && c->at[i].fate == SLV_REBUILT
	    && !slv_extent_is_torn(&c->at[i]))
		i++;
	return i;
}

/* Return true if it may be in such a range: derived data are rebuilt if
 * something around them is damaged. */
static bool
is_whole(const struct slv_extent *x)
{
	return x->fate == SLV_KEPT
	    || (x->fate == SLV_REBUILT && !slv_extent_is_torn(x));
}

/* The next kept range between damaged ones, from extent *i on. */
static bool
next_stretch(const struct slv_catalog *c, size_t *i, struct slv_range *out)
{
	for (; *i < c->n; ++*i) {
		size_t first = pass_rebuilt(c, *i + 1), end = first, last;

		if (!slv_extent_is_torn(&c->at[*i]))
			continue;
		while (end < c->n && is_whole(&c->at[end]))
			end++;
		for (last = end;
		     last > first && c->at[last - 1].fate == SLV_REBUILT;)
			last--;
		if (last == first || end == c->n
		    || !slv_extent_is_torn(&c->at[end]))
			continue;
		out->off = c->at[first].off;
		out->end = c->at[last - 1].off + c->at[last - 1].len;
		if (out->end - out->off < MARK || out->end - out->off > LONGEST)
			continue;
		*i = end;
		return true;
	}
	return false;
}

/* How many of n bytes at off are not damaged, from the first on. */
static uint64_t
count_whole(const struct slv_catalog *c, uint64_t off, uint64_t n)
{
	uint64_t end = off;

	for (size_t i = slv_catalog_find(c, off);
	     i < c->n && is_whole(&c->at[i]) && end < off + n; i++)
		end = c->at[i].off + c->at[i].len;
	return slv_min64(end - off, n);
}

/* Compare the range with a place that begins alike. */
static enum slv_status
compare(struct search *x, uint64_t at, struct slv_err *err)
{
	uint64_t n = x->stretch.end - x->stretch.off, same;

	if (at < x->stretch.end && x->stretch.off < at + n)
		return SLV_OK;
	x->hits++;
	SLV_TRY(slv_compare(x->s, x->stretch.off, at, n, &same, err));
	same = count_whole(&x->s->catalog, at, same);
	if (same > x->len) {
		x->len = same;
		x->twin = at;
	}
	return SLV_OK;
}

/* Search for a range in n bytes of the log. */
static enum slv_status
look_for(struct search *x, uint64_t off, const uint8_t *buf, size_t n,
    struct slv_err *err)
{
	const uint8_t *p = buf, *hit;

	while (x->hits < HITS
	    && (hit = slv_find_bytes(p, n - (size_t)(p - buf), x->mark, MARK))
	        != NULL) {
		SLV_TRY(compare(x, off + (uint64_t)(hit - buf), err));
		p = hit + 1;
	}
	return SLV_OK;
}

struct searches {
	struct search at[STRETCHES];
	size_t n;
};

static enum slv_status
look_in(void *ctx, uint64_t off, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	struct searches *all = ctx;

	for (size_t i = 0; i < all->n; i++)
		SLV_TRY(look_for(&all->at[i], off, bytes, n, err));
	return SLV_OK;
}

/* Search for all of them in all of the log. */
static enum slv_status
look(struct slv_scan *s, struct searches *all, struct slv_err *err)
{
	for (size_t i = 0; i < all->n; i++)
		SLV_TRY(slv_source_read(s->source, all->at[i].stretch.off,
		    all->at[i].mark, MARK, err));
	return slv_sweep(s, MARK - 1, look_in, all, err);
}

/* The times of the last record in [off, upto) and of the first one after it.  What
 * follows the twin is looked for outside of the range. */
static enum slv_status
find_times(struct search *x, uint64_t off, uint64_t upto,
    struct slv_moment *last, struct slv_moment *next, struct slv_err *err)
{
	const struct slv_range *pass =
	    off == x->twin ? &x->stretch : &(struct slv_range){ 0, 0 };
	const struct slv_catalog *c = &x->s->catalog;

	*next = (struct slv_moment){ .known = false };
	for (int n = 0; n < UNITS && !next->known && off < c->end; n++) {
		const struct slv_extent *e = &c->at[slv_catalog_find(c, off)];
		struct slv_unit u = { 0 };

		if (off >= pass->off && off < pass->end) {
			off = pass->end;
			continue;
		}
		if (e->fate != SLV_KEPT) {
			off = e->off + e->len;
			continue;
		}
		SLV_TRY(x->s->format->unit(x->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || u.len == 0)
			return SLV_OK;
		if (u.time.known && off < upto)
			*last = u.time;
		else if (u.time.known)
			*next = u.time;
		off += u.len;
	}
	return SLV_OK;
}

/* Seconds between the last record of a place and the next one after it; false:
 * unknown. */
static enum slv_status
find_step(struct search *x, uint64_t off, uint64_t len, double *step,
    bool *known, struct slv_err *err)
{
	struct slv_moment last = { .known = false }, next;

	SLV_TRY(find_times(x, off, off + len, &last, &next, err));
	*known = last.known && next.known;
	if (*known)
		*step = slv_moment_seconds(last, next);
	return SLV_OK;
}

/* Return true if nothing that was recorded is kept between the range and its twin:
 * then either may be the copy, and the range is it, as what is around it is torn. */
static bool
is_next_to(const struct search *x, uint64_t len)
{
	const struct slv_catalog *c = &x->s->catalog;
	bool after = x->twin < x->stretch.off;
	uint64_t from = after ? x->twin + len : x->stretch.end;
	uint64_t to = after ? x->stretch.off : x->twin;

	for (size_t i = slv_catalog_find(c, from); from < to && i < c->n; i++) {
		if (c->at[i].off >= to)
			break;
		if (c->at[i].fate == SLV_KEPT
		    && c->at[i].part != SLV_PART_INDEX)
			return false;
	}
	return true;
}

/* Return true if what follows fits the twin better: then the range is the
 * copy. */
static enum slv_status
is_copy(struct search *x, bool *yes, struct slv_err *err)
{
	uint64_t len = x->stretch.end - x->stretch.off;
	double here = 0, there = 0;
	bool known[2];

	*yes = is_next_to(x, len);
	if (*yes)
		return SLV_OK;
	SLV_TRY(find_step(x, x->stretch.off, len, &here, &known[0], err));
	SLV_TRY(find_step(x, x->twin, len, &there, &known[1], err));
	*yes = known[0] && known[1] && there >= 0 && (here < 0 || here > there);
	return SLV_OK;
}

/* Cut the range to whole units that the twin has, too. */
static enum slv_status
cut_to_units(struct search *x, struct slv_err *err)
{
	uint64_t end = x->stretch.off + x->len, off = x->stretch.off;

	x->stretch.end = off;
	while (off < end) {
		struct slv_unit u = { 0 };

		SLV_TRY(x->s->format->unit(x->s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || u.len == 0
		    || u.len > end - off)
			break;
		off += u.len;
		x->stretch.end = off;
	}
	return SLV_OK;
}

/* Return true if the excluded bytes are in the twin because the same ones are in the
 * range: then those of the range are the ones to exclude. */
static bool
is_owed(const struct search *x, const struct slv_aside *a, uint64_t len)
{
	return a->fate == SLV_FILLER && a->off >= x->twin
	    && a->end <= x->twin + len
	    && a->twin == x->stretch.off + (a->off - x->twin);
}

/* Return true if any of the len bytes of the twin is excluded for another reason: then
 * the output lacks it, and the range is needed. */
static bool
is_aside(const struct slv_mends *m, const struct search *x, uint64_t len)
{
	for (size_t i = 0; i < m->n_aside; i++) {
		const struct slv_aside *a = &m->aside[i];

		if (a->off < x->twin + len && x->twin < a->end
		    && !is_owed(x, a, len))
			return true;
	}
	return false;
}

/* Keep all of the twin. */
static void
keep_twin(struct slv_mends *m, const struct search *x, uint64_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_aside; i++) {
		if (!is_owed(x, &m->aside[i], len))
			m->aside[n++] = m->aside[i];
	}
	m->n_aside = n;
}

/* Drop the exclusions inside the range, which is excluded as a whole.  *all = false: one
 * is only partly inside, and none is dropped. */
static void
absorb(struct slv_mends *m, const struct slv_range *range, bool *all)
{
	size_t n = 0;

	*all = true;
	for (size_t i = 0; i < m->n_aside; i++)
		*all &= m->aside[i].end <= range->off
		    || m->aside[i].off >= range->end
		    || (m->aside[i].off >= range->off
		        && m->aside[i].end <= range->end);
	for (size_t i = 0; *all && i < m->n_aside; i++) {
		if (m->aside[i].off < range->off
		    || m->aside[i].off >= range->end)
			m->aside[n++] = m->aside[i];
	}
	if (*all)
		m->n_aside = n;
}

/* Exclude the range, unless another excluded range is only partly inside. */
static enum slv_status
exclude(const struct search *x, struct slv_mends *out, struct slv_err *err)
{
	struct slv_aside aside = {
		.off = x->stretch.off,
		.end = x->stretch.end,
		.fate = SLV_FILLER,
		.twin = x->twin,
		.problem.info = &slv_core_problems[SLV_P_REPEAT],
	};
	bool all;

	absorb(out, &x->stretch, &all);
	if (!all)
		return SLV_OK;
	keep_twin(out, x, x->stretch.end - x->stretch.off);
	return slv_mends_add_aside(out, &aside, err);
}

/* Exclude the range if it repeats what is kept elsewhere. */
static enum slv_status
examine(struct search *x, struct slv_mends *out, struct slv_err *err)
{
	uint64_t len;
	bool copy;

	if (x->len == 0)
		return SLV_OK;
	SLV_TRY(cut_to_units(x, err));
	len = x->stretch.end - x->stretch.off;
	if (len == 0 || is_aside(out, x, len))
		return SLV_OK;
	SLV_TRY(is_copy(x, &copy, err));
	return copy ? exclude(x, out, err) : SLV_OK;
}

/* Cut a page to the units that are wholly inside it; *any = false: no record is.
 *
 *   from  where it is torn before them */
static enum slv_status
cut_page(struct slv_scan *s, struct slv_twin *page, uint64_t *from, bool *any,
    struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	uint64_t upto = page->off + page->len, first = upto, last = page->off;
	uint64_t off = c->at[slv_catalog_find(c, page->off)].off, end;

	*any = false;
	*from = upto;
	for (; off < slv_min64(upto, c->end); off = end) {
		const struct slv_extent *x = &c->at[slv_catalog_find(c, off)];
		struct slv_unit u = { 0 };

		end = x->off + x->len;
		if (slv_extent_is_torn(x)) {
			*from = slv_min64(*from, slv_max64(off, page->off));
			continue;
		}
		SLV_TRY(s->format->unit(s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict == SLV_UNIT_GOOD && u.len > 0)
			end = off + u.len;
		if (off < page->off || end > upto)
			continue;
		first = slv_min64(first, off);
		last = end;
		*any |= x->part != SLV_PART_INDEX;
	}
	*from = slv_min64(*from, first);
	page->twin += first - page->off;
	page->off = first;
	page->len = slv_max64(last, first) - first;
	return SLV_OK;
}

/* Return true if the records after the other place of a page continue it, and
 * those after the page do not.  At the end of the log nothing follows; and if
 * times say nothing, it is enough that only the page is torn. */
static enum slv_status
is_out_of_place(struct search *x, const struct slv_twin *page, bool *yes,
    struct slv_err *err)
{
	double here = 0, there = 0;
	bool known[2];

	SLV_TRY(find_step(x, page->off, page->len, &here, &known[0], err));
	SLV_TRY(find_step(x, page->twin, page->len, &there, &known[1], err));
	if (page->sure && !known[0] && !known[1])
		*yes = true;
	else if (page->sure && known[1])
		*yes = there >= 0 && (!known[0] || here < 0 || here > there);
	else
		*yes = known[0] && here < 0 && (page->sure || there > 0);
	return SLV_OK;
}

/* Exclude the pages that are out of place. */
static enum slv_status
examine_pages(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct slv_twins pages;

	SLV_TRY(slv_twins_find(s, &pages, err));
	for (size_t i = 0; i < pages.n; i++) {
		struct slv_twin *p = &pages.at[i];
		struct search x = { .s = s };
		uint64_t from;
		bool yes;

		SLV_TRY(cut_page(s, p, &from, &yes, err));
		x.stretch = (struct slv_range){ from, p->off + p->len };
		x.twin = p->twin - (p->off - from);
		if (!yes || is_aside(out, &x, x.stretch.end - from))
			continue;
		SLV_TRY(is_out_of_place(&x, p, &yes, err));
		if (yes)
			SLV_TRY(exclude(&x, out, err));
	}
	return SLV_OK;
}

/* How many ranges of a log are damaged. */
static size_t
count_torn(const struct slv_catalog *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += slv_extent_is_torn(&c->at[i])
		    && (i == 0 || !slv_extent_is_torn(&c->at[i - 1]));
	return n;
}

enum slv_status
slv_repeats_find(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct searches all = { .n = 0 };
	size_t at = 0;

	/* A log that is damaged everywhere was not damaged by one page. */
	if (s->source->unreadable.n > 0 || count_torn(&s->catalog) > TORN)
		return SLV_OK;
	for (; all.n < STRETCHES; all.n++) {
		all.at[all.n] = (struct search){ .s = s };
		if (!next_stretch(&s->catalog, &at, &all.at[all.n].stretch))
			break;
	}
	if (all.n > 0)
		SLV_TRY(look(s, &all, err));
	for (size_t i = 0; i < all.n; i++)
		SLV_TRY(examine(&all.at[i], out, err));
	return examine_pages(s, out, err);
}
