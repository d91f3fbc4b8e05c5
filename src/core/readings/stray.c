/* stray.c - which of several units is the one in the wrong place? */
#include "core/readings/stray.h"

#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "core/compare.h"
#include "core/sweep.h"

#define MARK 48 /* bytes that identify a unit, at most */
#define HITS 64 /* places that are compared, for each unit */

/* A proposal, and the state of its search. */
struct search {
	struct slv_stray *stray;
	uint8_t mark[MARK];
	size_t n;
	unsigned hits;
};

void
slv_strays_add(struct slv_strays *all, const struct slv_stray *one)
{
	if (all->n == SLV_STRAYS) {
		all->more = true;
		return;
	}
	all->at[all->n] = *one;
	all->at[all->n++].twin = UINT64_MAX;
}

/* Compare the units with a place that begins alike. */
static enum slv_status
compare(const struct slv_scan *s, struct search *x, uint64_t at,
    struct slv_err *err)
{
	uint64_t n = x->stray->end - x->stray->off, same;

	if (at < x->stray->end && x->stray->off < at + n)
		return SLV_OK;
	x->hits++;
	SLV_TRY(slv_compare(s, x->stray->off, at, n, &same, err));
	if (same == n)
		x->stray->twin = at;
	return SLV_OK;
}

/* Search for the units in n bytes of the log. */
static enum slv_status
look_for(const struct slv_scan *s, struct search *x, uint64_t off,
    const uint8_t *buf, size_t n, struct slv_err *err)
{
	const uint8_t *p = buf, *hit;

	while (x->stray->twin == UINT64_MAX && x->hits < HITS
	    && (hit = slv_find_bytes(p, n - (size_t)(p - buf), x->mark, x->n))
	        != NULL) {
		SLV_TRY(compare(s, x, off + (uint64_t)(hit - buf), err));
		p = hit + 1;
	}
	return SLV_OK;
}

struct searches {
	const struct slv_scan *s;
	struct search at[SLV_STRAYS];
	size_t n;
};

static enum slv_status
look_in(void *ctx, uint64_t off, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	struct searches *all = ctx;

	for (size_t i = 0; i < all->n; i++)
		SLV_TRY(look_for(all->s, &all->at[i], off, bytes, n, err));
	return SLV_OK;
}

enum slv_status
slv_strays_twins(
    struct slv_scan *s, struct slv_strays *strays, struct slv_err *err)
{
	struct searches all = { .s = s, .n = strays->n };

	for (size_t i = 0; i < all.n; i++) {
		struct slv_stray *x = &strays->at[i];
		struct search *one = &all.at[i];

		one->stray = x;
		one->n = (size_t)slv_min64(MARK, x->end - x->off);
		SLV_TRY(
		    slv_source_read(s->source, x->off, one->mark, one->n, err));
	}
	return slv_sweep(s, MARK - 1, look_in, &all, err);
}

/* Return true if two proposals have the same bytes. */
static enum slv_status
are_alike(const struct slv_scan *s, const struct slv_stray *a,
    const struct slv_stray *b, bool *yes, struct slv_err *err)
{
	uint64_t n = a->end - a->off, same = 0;

	if (b->end - b->off == n)
		SLV_TRY(slv_compare(s, a->off, b->off, n, &same, err));
	*yes = same == n;
	return SLV_OK;
}

/* The oddest of the proposals that are copies (and odd if they must be),
 * provided that all of these have the same bytes; n: there is none, or they
 * differ. */
static enum slv_status
pick_copy(struct slv_scan *s, const struct slv_strays *all, bool odd,
    size_t *pick, struct slv_err *err)
{
	*pick = all->n;
	for (size_t i = 0; i < all->n; i++) {
		const struct slv_stray *x = &all->at[i];
		bool alike = true;

		if (x->twin == UINT64_MAX || (odd && x->odd == 0))
			continue;
		if (*pick < all->n)
			SLV_TRY(are_alike(s, &all->at[*pick], x, &alike, err));
		if (!alike) {
			*pick = all->n;
			break;
		}
		if (*pick == all->n || x->odd > all->at[*pick].odd)
			*pick = i;
	}
	return SLV_OK;
}

/* Return true if the log is the same whichever of the proposals is left out: then
 * each of them begins with what follows the one before it. */
static enum slv_status
leave_same(const struct slv_scan *s, const struct slv_strays *all, bool *yes,
    struct slv_err *err)
{
	*yes = !all->more;
	for (size_t i = 1; *yes && i < all->n; i++) {
		const struct slv_stray *a = &all->at[i - 1], *b = &all->at[i];
		uint64_t n = b->off - a->off, same = 0;

		if (b->off > a->off && b->end - a->end == n)
			SLV_TRY(slv_compare(s, a->off, a->end, n, &same, err));
		*yes = same == n;
	}
	return SLV_OK;
}

/* The oddest of the units that are to be put back: none are left out. */
static size_t
pick_moved(const struct slv_strays *all)
{
	size_t pick = 0;

	for (size_t i = 1; i < all->n; i++) {
		if (all->at[i].odd > all->at[pick].odd)
			pick = i;
	}
	return all->n == 1 || all->at[pick].odd > 0 ? pick : all->n;
}

enum slv_status
slv_strays_pick(struct slv_scan *s, struct slv_strays *all, size_t *pick,
    struct slv_err *err)
{
	bool copies = true, same;

	*pick = all->n;
	if (all->n == 0)
		return SLV_OK;
	if (all->at[0].to != all->at[0].off) {
		*pick = pick_moved(all);
		return SLV_OK;
	}
	SLV_TRY(slv_strays_twins(s, all, err));
	for (size_t i = 0; i < all->n; i++)
		copies &= all->at[i].twin != UINT64_MAX;
	SLV_TRY(leave_same(s, all, &same, err));
	SLV_TRY(pick_copy(s, all, !same && (!copies || all->more), pick, err));
	/* If nothing else can be surplus, it need not be a copy. */
	if (*pick == all->n && same)
		*pick = 0;
	return SLV_OK;
}
