/* align.c - which bytes of two copies of one recording correspond. */
#include "core/copies/align.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "core/compare.h"

#define LOOKS_MAX 256 /* units of one gap that are searched in the other */

/* A unit of one of the copies, while those of both are sorted together. */
struct keyed {
	uint64_t key, len;
	size_t unit;
	int copy;
};

/* A unit that both copies have. */
struct pair {
	size_t unit[2];
	size_t before; /* 1 + the previous pair in the longest chain */
};

static int
compare_keys(const void *x, const void *y)
{
	const struct keyed *a = x, *b = y;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->copy - b->copy;
}

static int
compare_pairs(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	return a->unit[0] < b->unit[0] ? -1 : a->unit[0] > b->unit[0];
}

static size_t
collect(const struct slv_copy *c, int copy, struct keyed *at)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->units[i].whole)
			at[n++] = (struct keyed){ c->units[i].key,
				c->units[i].len, i, copy };
	}
	return n;
}

/* The units that each copy has exactly once, in the order of the first. */
static enum slv_status
find_pairs(const struct slv_copy *a, const struct slv_copy *b,
    struct pair **out, size_t *n, struct slv_err *err)
{
	struct keyed *all = slv_calloc(a->n + b->n + 1, sizeof(*all));
	struct pair *pairs = slv_calloc(a->n + 1, sizeof(*pairs));
	const volatile sig_atomic_t *cancel = a->scan.opt.cancel;
	enum slv_status st;
	size_t m = 0;

	*n = 0;
	*out = pairs;
	if (all == NULL || pairs == NULL) {
		slv_free(all);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	m = collect(a, 0, all);
	m += collect(b, 1, all + m);
	st = slv_sort_long(all, m, sizeof(*all), compare_keys, cancel, err);
	for (size_t i = 0, end; st == SLV_OK && i < m; i = end) {
		for (end = i + 1; end < m && all[end].key == all[i].key
		     && all[end].len == all[i].len;
		     end++)
			;
		if (end == i + 2 && all[i].copy != all[i + 1].copy)
			pairs[(*n)++] = (struct pair){
				.unit = { all[i].unit, all[i + 1].unit },
			};
	}
	slv_free(all);
	if (st == SLV_OK)
		st = slv_sort_long(
		    pairs, *n, sizeof(*pairs), compare_pairs, cancel, err);
	return st;
}

/* Keep the longest chain of pairs that have the same order in both: `ends`
 * holds the last pair of the best chain of each length. */
static enum slv_status
keep_chain(struct pair *pairs, size_t *n, struct slv_err *err)
{
	size_t *ends = slv_calloc(*n + 1, sizeof(*ends)), longest = 0, at;

	if (ends == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < *n; i++) {
		struct slv_search f = { .high = longest };

		while (slv_search(&f))
			slv_search_on(
			    &f, pairs[ends[f.mid]].unit[1] < pairs[i].unit[1]);
		pairs[i].before = f.low > 0 ? ends[f.low - 1] + 1 : 0;
		ends[f.low] = i;
		if (f.low == longest)
			longest++;
	}
	/* Backwards, each to its place, which is not before the old one. */
	at = longest > 0 ? ends[longest - 1] + 1 : 0;
	for (size_t i = longest; i-- > 0; at = pairs[at - 1].before)
		ends[i] = at - 1;
	for (size_t i = 0; i < longest; i++)
		pairs[i] = pairs[ends[i]];
	*n = longest;
	slv_free(ends);
	return SLV_OK;
}

static enum slv_status
add(struct slv_alignment *l, const uint64_t *off, uint64_t la, uint64_t lb,
    struct slv_err *err)
{
	if (la == 0 && lb == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&l->at, &l->cap, l->n + 1, sizeof(*l->at), err));
	l->at[l->n++] = (struct slv_stretch){ { off[0], off[1] }, { la, lb } };
	return SLV_OK;
}

/* A range of one copy alone. */
static enum slv_status
add_alone(struct slv_alignment *l, int copy, uint64_t off, uint64_t len,
    struct slv_err *err)
{
	uint64_t at[2] = { off, off };

	return copy == 0 ? add(l, at, len, 0, err) : add(l, at, 0, len, err);
}

/* The time of the first unit in a range; false: some have none. */
static bool
all_timed(
    const struct slv_copy *c, uint64_t off, uint64_t len, struct slv_moment *at)
{
	size_t first = slv_copy_unit_from(c, off);

	for (size_t i = first; i < c->n && c->units[i].off < off + len; i++) {
		if (!c->units[i].time.known)
			return false;
	}
	if (first == c->n || c->units[first].off >= off + len)
		return false;
	*at = c->units[first].time;
	return true;
}

/* Return true if a range holds such a unit. */
static bool
has_unit(const struct slv_copy *c, uint64_t off, uint64_t len,
    const struct slv_noted *like)
{
	for (size_t i = slv_copy_unit_from(c, off);
	     i < c->n && c->units[i].off < off + len; i++) {
		if (c->units[i].whole && c->units[i].key == like->key
		    && c->units[i].len == like->len)
			return true;
	}
	return false;
}

/* Return true if a whole unit of the base, as far into the gap as u is, begins
 * with all bytes of u: u is that unit, partially written. */
static enum slv_status
begins_so(const struct slv_copy *from, const struct slv_noted *u,
    const struct slv_copy *base, const struct slv_stretch *gap, int which,
    bool *yes, struct slv_err *err)
{
	uint64_t at = u->off - gap->off[!which] + gap->off[which], same;
	size_t i = slv_copy_unit_from(base, at);
	const struct slv_noted *whole = i < base->n ? &base->units[i] : NULL;

	*yes = whole != NULL && whole->whole && whole->off == at
	    && whole->len >= u->len
	    && whole->off + whole->len <= gap->off[which] + gap->len[which];
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_compare_sources(
	    from->source, u->off, base->source, at, u->len, &same, err));
	*yes = same == u->len;
	return SLV_OK;
}

/* Count the whole units of a range of one copy that have no place, unless the
 * other copy has equal ones in its range. */
static enum slv_status
count_unplaced(struct slv_alignment *l, const struct slv_copy *from,
    uint64_t off, uint64_t len, const struct slv_copy *base,
    const struct slv_stretch *gap, int which, struct slv_err *err)
{
	uint64_t looks = 0;

	for (size_t i = slv_copy_unit_from(from, off);
	     i < from->n && from->units[i].off < off + len; i++) {
		const struct slv_noted *u = &from->units[i];
		bool placed;

		if (!u->whole)
			continue;
		placed = looks++ <= LOOKS_MAX
		    && has_unit(base, gap->off[which], gap->len[which], u);
		if (!placed)
			SLV_TRY(
			    begins_so(from, u, base, gap, which, &placed, err));
		l->unplaced += placed ? 0 : u->len;
	}
	return SLV_OK;
}

/* Between two common units there is more in one copy than in the other.  Take
 * the copy with more whole units there; of the other copy take the units that
 * are adjacent to common ones, if the first has nothing whole there. */
static enum slv_status
add_gap(struct slv_alignment *l, const struct slv_copy *const *c,
    const struct slv_stretch *s, struct slv_err *err)
{
	uint64_t whole[2], left, right;
	struct slv_moment time[2];
	int base, other;

	for (int i = 0; i < 2; i++)
		whole[i] = slv_copy_whole(c[i], s->off[i], s->len[i]);
	if (s->len[0] > 0 && s->len[1] > 0 && whole[0] == s->len[0]
	    && whole[1] == s->len[1]
	    && all_timed(c[0], s->off[0], s->len[0], &time[0])
	    && all_timed(c[1], s->off[1], s->len[1], &time[1])) {
		base = slv_moment_compare(time[0], time[1]) > 0;
		SLV_TRY(add_alone(l, base, s->off[base], s->len[base], err));
		return add_alone(l, !base, s->off[!base], s->len[!base], err);
	}
	base = whole[1] > whole[0]
	    || (whole[1] == whole[0] && whole[1] > 0 && s->len[1] > s->len[0]);
	other = !base;
	left =
	    slv_copy_run(c[other], s->off[other], s->len[other], true, false);
	if (left
	    > slv_copy_run(c[base], s->off[base], s->len[base], false, false))
		left = 0;
	right = slv_copy_run(
	    c[other], s->off[other] + left, s->len[other] - left, true, true);
	if (right > slv_copy_run(
	        c[base], s->off[base] + left, s->len[base] - left, false, true))
		right = 0;
	SLV_TRY(count_unplaced(l, c[other], s->off[other] + left,
	    s->len[other] - left - right, c[base], s, base, err));
	SLV_TRY(add_alone(l, other, s->off[other], left, err));
	SLV_TRY(add_alone(
	    l, base, s->off[base] + left, s->len[base] - left - right, err));
	return add_alone(
	    l, other, s->off[other] + s->len[other] - right, right, err);
}

/* Return true if the log ends where the copy does. */
static bool
is_ended(const struct slv_copy *c)
{
	const struct slv_catalog *k = &c->scan.catalog;

	return c->scan.end != SLV_END_UNKNOWN && k->n > 0
	    && slv_rank_of(k->at[k->n - 1].fate) > SLV_RANK_LOST;
}

/* Return true if there is only padding from off on. */
static bool
is_filler(const struct slv_copy *c, uint64_t off)
{
	const struct slv_catalog *k = &c->scan.catalog;

	for (size_t i = k->n; i-- > 0 && k->at[i].off + k->at[i].len > off;) {
		if (k->at[i].fate != SLV_FILLER)
			return false;
	}
	return true;
}

/* After the last common unit: byte by byte up to the end of the shorter copy,
 * and the rest of the longer one if the other was cut. */
static enum slv_status
add_tail(struct slv_alignment *l, const struct slv_copy *const *c,
    const uint64_t *from, const uint64_t *at, struct slv_err *err)
{
	uint64_t rest[2] = { c[0]->source->size - at[0],
		c[1]->source->size - at[1] };
	uint64_t both = slv_min64(rest[0], rest[1]);
	int longer = rest[1] > rest[0];

	SLV_TRY(
	    add(l, from, at[0] + both - from[0], at[1] + both - from[1], err));
	if (is_ended(c[!longer]) && is_filler(c[longer], at[longer] + both))
		return SLV_OK;
	return add_alone(
	    l, longer, at[longer] + both, rest[longer] - both, err);
}

static enum slv_status
add_all(struct slv_alignment *l, const struct slv_copy *const *c,
    const struct pair *pairs, size_t n, struct slv_err *err)
{
	uint64_t from[2] = { 0, 0 }, at[2] = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		const struct slv_noted *u[2] = { &c[0]->units[pairs[i].unit[0]],
			&c[1]->units[pairs[i].unit[1]] };
		struct slv_stretch gap = { { at[0], at[1] },
			{ u[0]->off - at[0], u[1]->off - at[1] } };

		if (gap.len[0] != gap.len[1]) {
			SLV_TRY(add(
			    l, from, at[0] - from[0], at[1] - from[1], err));
			SLV_TRY(add_gap(l, c, &gap, err));
			from[0] = u[0]->off;
			from[1] = u[1]->off;
		}
		at[0] = u[0]->off + u[0]->len;
		at[1] = u[1]->off + u[1]->len;
		l->timed += u[0]->time.known;
	}
	l->common = n;
	return add_tail(l, c, from, at, err);
}

enum slv_status
slv_align(struct slv_alignment *l, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *err)
{
	const struct slv_copy *c[2] = { a, b };
	struct pair *pairs = NULL;
	enum slv_status st;
	size_t n = 0;

	*l = (struct slv_alignment){ .n = 0 };
	st = find_pairs(a, b, &pairs, &n, err);
	if (st == SLV_OK)
		st = keep_chain(pairs, &n, err);
	if (st == SLV_OK)
		st = add_all(l, c, pairs, n, err);
	slv_free(pairs);
	return st;
}

void
slv_alignment_free(struct slv_alignment *l)
{
	slv_free(l->at);
	*l = (struct slv_alignment){ .n = 0 };
}
