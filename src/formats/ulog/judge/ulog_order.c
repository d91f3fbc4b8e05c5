/* ulog_order.c - after damage: what contradicts the times of its subscription is
 * left out, and each loss gets its length.
 *
 * Subscriptions are not compared with each other: one may be minutes ahead of all
 * others.
 */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"
#include "support/sequence/sequence.h"

#define GAP_MAX 7200000 /* ms: a longer flight is none */

static enum slv_status
read_kept(const struct slv_scan *s, uint64_t off, struct slv_message *k,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	const struct ulog_sub *sub;
	struct ulog_message msg;
	bool whole;

	SLV_TRY(ulog_look(s, off, &msg, &whole, err));
	if (!whole)
		return slv_scan_changed(s, err);
	k->len = ULOG_HEAD + msg.size;
	k->declares = msg.type == 'A' || msg.type == 'F';
	sub = msg.type == 'D' && msg.size > 2 ? ulog_sub_of(m, ulog_id(&msg))
	                                      : NULL;
	if (sub == NULL)
		return SLV_OK;
	k->stream = (size_t)(sub - m->subs);
	/* No reader understands it before its subscription: it will go, and does not
	 * count as the first of them. */
	k->timed = sub->usable && sub->stamp > 0 && msg.size == sub->size
	    && (sub->lent || off > sub->at);
	if (k->timed)
		k->time = slv_get_le64(msg.body + sub->stamp);
	return SLV_OK;
}

/* Tell readers how long a loss was, as a logger does that had no room. */
static enum slv_status
put_dropout(struct slv_scan *s, uint64_t off, uint64_t us, struct slv_err *err)
{
	uint64_t ms = us / 1000;

	if (ms == 0 || ms > GAP_MAX)
		return SLV_OK;
	return SLV_ADD(ulog_edit(s), edits, err,
	    (struct ulog_edit){ off, 0, ULOG_EDIT_DROPOUT, ms });
}

static const struct slv_sequence_rules rules = {
	.stale = &ulog_problems[ULOG_P_STALE],
	.alone = &ulog_problems[ULOG_P_ALONE],
	.time = &ulog_problems[ULOG_P_TIME],
	.read = read_kept,
	.gap = put_dropout,
};

enum slv_status
ulog_order(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct slv_sequence of = { &rules, NULL, m->n_subs, m->data_at, false };
	enum slv_status st;

	SLV_TRY(slv_new(
	    &of.streams, slv_max64(m->n_subs, 1), sizeof(*of.streams), err));
	for (size_t i = 0; i < m->n_subs; i++)
		of.streams[i] =
		    (struct slv_sequence_stream){ .channel = m->subs[i].id,
			    .first_off = m->subs[i].first_off,
			    .first = m->subs[i].first,
			    .last = m->subs[i].last };
	st = slv_sequence_judge(s, &of, err);
	for (size_t i = 0; i < m->n_subs; i++) {
		m->subs[i].n = of.streams[i].n;
		m->subs[i].first_off = of.streams[i].first_off;
		m->subs[i].first = of.streams[i].first;
		m->subs[i].last = of.streams[i].last;
	}
	slv_free(of.streams);
	return st;
}
