/* ulog_order.c - after damage: what contradicts the times of its subscription is
 * left out, and each loss gets its length.
 *
 * A cluster of an earlier flight, or one that was written twice, reads as well as
 * the log itself.  Only times show it: within a subscription they never go back.
 * What is kept is split into runs, at every loss and where time goes back.  Of
 * all chains of runs in which no subscription goes back the one with the most
 * messages is the log.  Subscriptions are not compared with each other: one may
 * be minutes ahead of all others.
 */
#include "base/list.h"
#include "formats/ulog/judge/ulog_order.h"

#define SOON        256   /* messages after a loss that show its length */
#define DROPOUT_MAX 65535 /* ms */

typedef enum slv_status on_kept(
    struct order *, const struct kept *, struct slv_err *);

/* Read all that is kept, from message to message; NULL means a loss. */
static enum slv_status
each(struct order *o, on_kept *fn, struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	const struct ulog *m = o->log;
	uint64_t at = 0, end;

	o->clock = 0;
	o->held.sub = NONE;
	memset(o->courses, 0, m->n_subs * sizeof(*o->courses));
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate != SLV_KEPT || x->part == SLV_PART_FRAME)
			continue;
		if (at > 0 && at != x->off
		    && s->catalog.at[i - 1].part != SLV_PART_FRAME)
			SLV_TRY(fn(o, NULL, err));
		end = x->off + x->len;
		for (at = x->off; at < end;) {
			struct kept k = { .off = at, .sub = NONE };
			const struct ulog_sub *sub;
			bool whole;

			SLV_TRY(slv_scan_go_on(s, err));
			SLV_TRY(ulog_look(s, at, &k.msg, &whole, err));
			if (!whole)
				return slv_fail(err, SLV_E_ACTIVE,
				    "%s: changed while it was read",
				    s->source->name);
			k.len = ULOG_HEAD + k.msg.size;
			sub = k.msg.type == 'D'
			    ? ulog_sub_of(m, ulog_id(&k.msg))
			    : NULL;
			if (sub != NULL && sub->usable && sub->stamp > 0
			    && k.msg.size == sub->size) {
				k.sub = (size_t)(sub - m->subs);
				k.time = slv_get_le64(k.msg.body + sub->stamp);
			}
			SLV_TRY(fn(o, &k, err));
			at += k.len;
		}
	}
	return SLV_OK;
}

/* The last loss is over: tell readers how long it was, as a logger does that had
 * no room. */
static enum slv_status
close_gap(struct order *o, struct slv_err *err)
{
	uint64_t ms = o->step == UINT64_MAX ? 0 : o->step / 1000;

	o->left = 0;
	if (o->scan->reference != NULL || ms > UINT32_MAX)
		return SLV_OK;
	for (; ms > 0; ms -= slv_min64(ms, DROPOUT_MAX))
		SLV_TRY(SLV_ADD(o->log, edits, err,
		    (struct ulog_edit){ o->gap_at, 0, ULOG_EDIT_DROPOUT,
		        slv_min64(ms, DROPOUT_MAX) }));
	return SLV_OK;
}

static enum slv_status
leave_one(struct order *o, uint64_t off, uint64_t len, size_t sub,
    struct slv_err *err)
{
	struct slv_scan *s = o->scan;
	struct ulog_sub *of = &o->log->subs[sub];
	uint32_t channel = of->id;

	of->n--;
	s->units_kept--;
	slv_scan_lose(s, 1, &channel);
	SLV_TRY(ulog_problem(s, ULOG_P_TIME, off, len, 0, 0, err));
	return slv_catalog_queue(&s->catalog, off, len, SLV_LOST, err);
}

/* Second pass, over what is kept: single messages with a wrong time, the length
 * of losses, and what the log now has. */
static enum slv_status
settle(struct order *o, const struct kept *k, struct slv_err *err)
{
	struct ulog_sub *sub;
	struct course *c;
	bool back, instead;

	if (k == NULL) {
		if (o->left > 0)
			SLV_TRY(close_gap(o, err));
		o->gaps++;
		o->gap_at = 0;
		o->step = UINT64_MAX;
		o->left = SOON;
		return SLV_OK;
	}
	if (ulog_is_left(o, k))
		return slv_catalog_queue(&o->scan->catalog, k->off, k->len,
		    o->runs[o->run].n > 0 ? SLV_FOREIGN : SLV_LOST, err);
	if (o->gap_at == 0)
		o->gap_at = k->off;
	if (k->sub == NONE) {
		/* Without a time it counts, and nothing contradicts it. */
		sub = k->msg.type == 'D' ? ulog_sub_of(o->log, ulog_id(&k->msg))
		                         : NULL;
		if (sub != NULL && sub->n++ == 0)
			sub->first_off = k->off;
		return SLV_OK;
	}
	(void)ulog_has_jumped(o, k);
	o->held = *k;
	o->held.sub = ulog_is_jump(o, k) ? k->sub : NONE;
	c = &o->courses[k->sub];
	sub = &o->log->subs[k->sub];
	back = c->n > 0 && k->time < c->last;
	instead = back && ulog_is_earlier_wrong(o, c, k);
	if (sub->n++ == 0) {
		sub->first_off = k->off;
		sub->first = k->time;
	}
	if (instead)
		SLV_TRY(leave_one(o, c->off, c->len, k->sub, err));
	else if (back)
		return leave_one(o, k->off, k->len, k->sub, err);
	if (instead && sub->n == 1) {
		sub->first_off = k->off;
		sub->first = k->time;
	}
	sub->last = k->time;
	if (o->left > 0 && c->n > 0 && c->gap < o->gaps && !back)
		o->step = slv_min64(o->step, k->time - c->last);
	if (o->left > 0 && --o->left == 0)
		SLV_TRY(close_gap(o, err));
	ulog_go_on(o, c, k, instead);
	return SLV_OK;
}

static enum slv_status
judge(struct order *o, struct slv_err *err)
{
	struct ulog *m = o->log;

	SLV_TRY(slv_new(
	    &o->courses, slv_max64(m->n_subs, 1), sizeof(*o->courses), err));
	SLV_TRY(each(o, ulog_collect, err));
	SLV_TRY(ulog_collect(o, NULL, err));
	SLV_TRY(ulog_choose(o, err));
	for (size_t i = 0; i < m->n_subs; i++)
		m->subs[i].n = 0;
	SLV_TRY(each(o, settle, err));
	if (o->left > 0)
		SLV_TRY(close_gap(o, err));
	return slv_catalog_apply(&o->scan->catalog, err);
}

enum slv_status
ulog_order(struct slv_scan *s, struct slv_err *err)
{
	struct order o = { .scan = s, .log = ulog_edit(s) };
	enum slv_status st = judge(&o, err);

	free(o.runs);
	free(o.rows);
	free(o.courses);
	return st;
}
