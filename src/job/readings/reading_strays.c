/* reading_strays.c - whole units in a place that contradicts the rest of the
 * log: the log without them, or with them where they belong.
 *
 * A record may have been recorded twice.  So none is left out because it is a
 * copy, but only if the index or the counts of the log have one less, and agree
 * with everything that remains.
 */
#include "base/bytes.h"
#include "core/readings/stray.h"
#include "job/readings/reading_ways.h"

#define TORN  16 /* ranges left out, at most: nothing must be torn */
#define TRIES 8  /* scans, where only the digest decides */

/* Return true if the log may be whole except for units in the wrong place. */
static bool
is_likely(const struct slv_catalog *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->at[i].fate == SLV_LOST;
	return n <= TORN;
}

/* Make the view: the log with the units elsewhere, or without them. */
static enum slv_status
place(const struct slv_stray *x, struct slv_source *s, struct slv_view *view,
    struct slv_err *err)
{
	struct slv_joint *j = view->joint;
	uint64_t len = x->end - x->off;

	if (x->to < x->off) {
		SLV_TRY(slv_joint_add(j, s, 0, x->to, err));
		SLV_TRY(slv_joint_add(j, s, x->off, len, err));
		SLV_TRY(slv_joint_add(j, s, x->to, x->off - x->to, err));
		return slv_joint_add(j, s, x->end, s->size - x->end, err);
	}
	SLV_TRY(slv_joint_add(j, s, 0, x->off, err));
	if (x->to == x->off)
		return slv_joint_add(j, s, x->end, s->size - x->end, err);
	SLV_TRY(slv_joint_add(j, s, x->end, x->to - x->end, err));
	SLV_TRY(slv_joint_add(j, s, x->off, len, err));
	return slv_joint_add(j, s, x->to, s->size - x->to, err);
}

static enum slv_status
explain(const struct slv_audit *a, const struct slv_stray *x,
    struct slv_view *view, struct slv_err *err)
{
	bool copy = x->twin != UINT64_MAX, moved = x->to != x->off;
	struct slv_problem why = {
		.info = &slv_core_problems[moved ? SLV_P_MOVED
		        : copy                   ? SLV_P_REPEAT
		                                 : SLV_P_STRAY],
		.off = x->off,
		.len = x->end - x->off,
	};

	if (moved || copy)
		why.want = slv_view_at(&a->view, moved ? x->to : x->twin);
	return slv_view_note(view, &why, err);
}

static enum slv_status
propose(struct slv_way_input *in, const struct slv_stray *x,
    struct slv_view *view, struct slv_err *err)
{
	SLV_TRY(explain(in->audit, x, view, err));
	return place(x, in->audit->read, view, err);
}

enum slv_status
slv_way_strays(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	struct slv_audit *a = in->audit;
	struct slv_scan *s = &a->scan;
	struct slv_strays *all = &in->strays;
	size_t pick;

	*any = i > 0 && i < all->n && i < TRIES;
	/* The present reading has an additional unit, or the wrong one. */
	in->mixed = true;
	if (*any)
		return propose(in, &all->at[i], view, err);
	*all = (struct slv_strays){ .n = 0 };
	if (i > 0 || s->format->strays == NULL || a->read->unreadable.n > 0
	    || !is_likely(&s->catalog))
		return SLV_OK;
	SLV_TRY(s->format->strays(s, all, err));
	SLV_TRY(slv_strays_pick(s, all, &pick, err));
	*any = pick < all->n;
	if (*any) {
		struct slv_stray one = all->at[pick];

		all->n = 0;
		return propose(in, &one, view, err);
	}
	/* Only the digest can decide. */
	if (a->seal.have == 0)
		all->n = 0;
	*any = all->n > 0;
	return *any ? propose(in, &all->at[0], view, err) : SLV_OK;
}

/* Offset of the first record; the end of the log: there is none. */
static uint64_t
first_record(const struct slv_catalog *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (c->at[i].part == SLV_PART_DATA
		    || c->at[i].part == SLV_PART_PACK)
			return c->at[i].off;
	}
	return c->end;
}

/* Return true if nothing is wrong from the first record on.  A log that was not
 * closed lacks an end, and its header says so. */
bool
slv_way_strays_hold(struct slv_way_input *in)
{
	const struct slv_scan *s = &in->audit->scan;
	const struct slv_catalog *c = &s->catalog;
	const struct slv_problems *all = &s->problems;
	uint64_t from = first_record(c), upto = 0;

	if (s->seal.as_is == SLV_SEAL_OTHER && s->seal.framed)
		return false;
	if (in->strays.n > 0)
		return s->seal.as_is >= SLV_SEAL_FIELD;
	if (slv_scan_is_sound(s))
		return true;
	if (s->units_lost > 0)
		return false;
	for (size_t i = c->n; upto == 0 && i > 0; i--) {
		if (c->at[i - 1].fate == SLV_KEPT)
			upto = c->at[i - 1].off + c->at[i - 1].len;
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct slv_problem *p = &all->at[i];

		if (p->info->severity != SLV_NOTE && p->off >= from
		    && (p->off < upto || p->len > 0))
			return false;
	}
	return true;
}
