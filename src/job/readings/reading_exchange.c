/* reading_exchange.c - sectors, pages or clusters of the log that changed
 * places. */
#include "base/bytes.h"
#include "core/readings/exchange_fit.h"
#include "job/readings/reading_ways.h"

#define TRIES 3 /* scans */

/* Bytes examined per effort: at least, and per byte of the log. */
#define WORK_LEAST ((uint64_t)256 << 20)
#define WORK_EACH  2

static bool
overlap(const struct slv_exchange *a, const struct slv_exchange *b)
{
	const uint64_t ours[] = { a->one, a->two };
	const uint64_t theirs[] = { b->one, b->two };

	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < 2; k++) {
			if (ours[i] < theirs[k] + b->size
			    && theirs[k] < ours[i] + a->size)
				return true;
		}
	}
	return false;
}

/* Return true if no other exchange that fits would move any of its bytes. */
static enum slv_status
stands_alone(struct slv_way_input *in, size_t i, struct slv_exchange_fit *fit,
    struct slv_err *err)
{
	in->alone[i] = true;
	for (size_t k = 0; k < in->n_fits; k++)
		in->alone[i] &= k == i || !overlap(&in->fits[i], &in->fits[k]);
	if (!in->alone[i])
		return SLV_OK;
	return slv_exchange_stands_alone(fit, &in->fits[i], &in->alone[i], err);
}

static bool
is_listed(const struct slv_way_input *in, const struct slv_exchange *x)
{
	for (size_t i = 0; i < in->n_fits; i++) {
		const struct slv_exchange *y = &in->fits[i];

		if (x->one == y->one && x->two == y->two && x->size == y->size)
			return true;
	}
	return false;
}

/* Find the exchanges with which both places read as whole units. */
static enum slv_status
sift(struct slv_way_input *in, const struct slv_exchanges *list,
    struct slv_exchange_fit *fit, struct slv_err *err)
{
	const struct slv_scan *s = fit->scan;
	uint64_t most = slv_max64(WORK_LEAST, s->source->size * WORK_EACH)
	    * in->opt->effort;
	bool all = list->all && fit->all, yes, summed;
	size_t i = 0;

	for (; i < list->n && in->n_fits < SLV_EXCHANGES && fit->work < most;
	     i++) {
		/* Each has a window of its own, which looks at `cancel`. */
		SLV_TRY(
		    slv_exchange_fits(fit, &list->at[i], &yes, &summed, err));
		if (!yes || is_listed(in, &list->at[i]))
			continue;
		in->alone[in->n_fits] = summed;
		in->fits[in->n_fits++] = list->at[i];
	}
	all = all && i == list->n;
	for (i = 0; all && i < in->n_fits; i++) {
		if (!in->alone[i])
			SLV_TRY(stands_alone(in, i, fit, err));
	}
	return SLV_OK;
}

static enum slv_status
find_fits(struct slv_way_input *in, struct slv_err *err)
{
	struct slv_scan *s = &in->audit->scan;
	struct slv_exchanges list = { .at = NULL };
	struct slv_exchange_fit fit = { .scan = s };
	enum slv_status st = slv_exchange_fit_init(&fit, s, err);

	in->n_fits = 0;
	in->sealed = in->audit->seal.have > 0;
	for (size_t i = 0; i < SLV_EXCHANGES; i++)
		in->alone[i] = false;
	if (st == SLV_OK)
		st = slv_exchanges_find(&fit, &list, err);
	if (st == SLV_OK)
		st = sift(in, &list, &fit, err);
	in->spoilt = fit.asked;
	slv_exchange_fit_free(&fit);
	slv_exchanges_free(&list);
	return st;
}

/* Try all exchanges without an alternative at once, and then each one for the
 * digest to decide. */
static void
pick_fits(struct slv_way_input *in, unsigned i)
{
	unsigned n = 0;

	in->n_tried = 0;
	for (size_t k = 0; k < in->n_fits; k++) {
		if (in->alone[k] && i == 0)
			in->tried[in->n_tried++] = in->fits[k];
		n = in->alone[k] ? 1 : n;
	}
	in->settled = in->n_tried > 0;
	for (size_t k = 0; k < in->n_fits && in->sealed && !in->settled; k++) {
		if (!in->alone[k] && n++ == i)
			in->tried[in->n_tried++] = in->fits[k];
	}
}

enum slv_status
slv_way_exchange(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	struct slv_audit *a = in->audit;

	*any = false;
	if (i == 0)
		in->n_fits = 0;
	if (i == 0 && a->read->unreadable.n == 0
	    && slv_exchanges_likely(&a->scan.catalog))
		SLV_TRY(find_fits(in, err));
	if (i >= TRIES)
		return SLV_OK;
	pick_fits(in, i);
	*any = in->n_tried > 0;
	if (!*any)
		return SLV_OK;
	for (size_t k = 0; k < in->n_tried; k++) {
		const struct slv_exchange *x = &in->tried[k];

		SLV_TRY(slv_view_why(view, &slv_core_problems[SLV_P_EXCHANGED],
		    x->one, x->size, err));
		view->why[view->n_why - 1].want = slv_view_at(&a->view, x->two);
	}
	return slv_exchange_join(
	    in->tried, in->n_tried, a->read, view->joint, err);
}

/* Return true if a finding is about a byte of a piece. */
static bool
is_about(const struct slv_problem *p, const struct slv_exchange *x)
{
	uint64_t end = p->off + slv_max64(p->len, 1);

	return p->info->severity != SLV_NOTE
	    && ((p->off < x->one + x->size && end > x->one)
	        || (p->off < x->two + x->size && end > x->two));
}

bool
slv_way_exchange_holds(struct slv_way_input *in)
{
	const struct slv_scan *s = &in->audit->scan;
	const struct slv_problems *all = &s->problems;
	uint64_t out = s->catalog.sums[SLV_LOST] + s->catalog.sums[SLV_FOREIGN];

	if (s->seal.as_is >= SLV_SEAL_FIELD)
		return true;
	/* If nothing is left out the digest must match. */
	if (!in->settled
	    || (out == 0 && s->seal.as_is == SLV_SEAL_OTHER && s->seal.framed))
		return false;
	for (size_t i = 0; i < in->n_tried; i++) {
		if (slv_exchange_is_hit(&in->tried[i], &s->catalog))
			return false;
		for (size_t k = 0; k < all->n; k++) {
			if (is_about(&all->at[k], &in->tried[i]))
				return false;
		}
	}
	return true;
}
