/* ulog_finish.c - all is read: what no format explains, what the donor explains,
 * and what the flags must say.
 */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"

SLV_ORDER2(compare_edits, struct ulog_edit, off, kind)

/* Does the donor give a number to another topic than this log?  Then its topics
 * were advertised in another order, and none of its numbers is right. */
static bool
is_odd_donor(const struct slv_scan *s)
{
	const struct ulog *m = ulog_of(s), *d = ulog_of(s->opt.donor);

	for (size_t i = 0; i < m->n_subs; i++) {
		const struct ulog_sub *own = &m->subs[i];
		const struct ulog_sub *theirs = ulog_sub_of(d, own->id);

		if (own->declared && theirs != NULL && theirs->declared
		    && (own->multi != theirs->multi
		        || own->name_len != theirs->name_len
		        || memcmp(m->texts.at + own->name,
		               d->texts.at + theirs->name, own->name_len)
		            != 0))
			return true;
	}
	return false;
}

/* Take what the donor declares of messages that nothing declares here. */
static enum slv_status
settle_lent(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	bool odd = false, any = false;

	for (size_t i = 0; i < m->n_subs; i++) {
		struct ulog_sub *sub = &m->subs[i];

		sub->odd |= sub->size == 0 && sub->n_odd > 0;
		sub->usable &= !sub->odd;
		any |= sub->lent && sub->n > 0;
	}
	if (any)
		odd = is_odd_donor(s);
	for (size_t i = 0; i < m->n_subs; i++) {
		struct ulog_sub *sub = &m->subs[i];

		if (!sub->lent || sub->n == 0)
			continue;
		s->refused += odd || !sub->usable;
		s->taken += !odd && sub->usable;
		sub->usable &= !odd;
		if (sub->usable)
			SLV_TRY(ulog_problem(s, ULOG_P_SUB_GIVEN,
			    sub->first_off, 0, 0, sub->n, err));
	}
	return SLV_OK;
}

/* Of two declarations of a number one is wrong. */
static enum slv_status
leave_rivals(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct ulog_message msg;

	for (size_t i = 0; i < m->n_subs; i++) {
		uint64_t at = m->subs[i].rival, len;

		if (at == 0)
			continue;
		SLV_TRY(ulog_look_again(s, at, ULOG_TAG_SUB, &msg, err));
		len = ULOG_HEAD + (uint64_t)msg.size;
		SLV_TRY(
		    ulog_problem(s, ULOG_P_TWO_MEANINGS, at, len, 0, 0, err));
		SLV_TRY(slv_catalog_queue(&s->catalog, at, len, SLV_LOST, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Messages that no reader understands: some of them refuse the whole log. */
static enum slv_status
leave_orphans(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	for (size_t i = 0; i < m->n_orphans; i++) {
		const struct ulog_orphan *x = &m->orphans[i];
		struct ulog_sub *sub = &m->subs[x->sub];
		uint32_t channel = sub->id;

		if (sub->usable && x->len == ULOG_HEAD + sub->size
		    && (sub->lent || x->off > sub->at))
			continue;
		/* Its time may have shown that it is of another flight. */
		if (s->catalog.at[slv_catalog_find(&s->catalog, x->off)].fate
		    != SLV_KEPT)
			continue;
		if (sub->usable)
			SLV_TRY(ulog_problem(
			    s, ULOG_P_MESSAGE, x->off, x->len, 0, 0, err));
		sub->n--;
		sub->lost++;
		s->units_kept--;
		slv_scan_lose(s, 1, &channel);
		SLV_TRY(slv_catalog_queue(
		    &s->catalog, x->off, x->len, SLV_LOST, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Subscriptions without a format, and messages without a subscription. */
static enum slv_status
name_unusable(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	for (size_t i = 0; i < m->n_subs; i++) {
		struct ulog_sub *sub = &m->subs[i];
		struct slv_problem p = {
			.info = &ulog_problems[!sub->declared ? ULOG_P_SUB_LOST
			        : sub->odd ? ULOG_P_FORMAT_WRONG
			                   : ULOG_P_FORMAT_LOST],
			.off = sub->declared ? sub->at : sub->first_off,
			.want = sub->id,
			.got = sub->lost,
		};

		if (sub->usable || (!sub->declared && sub->lost == 0))
			continue;
		if (sub->declared)
			slv_problem_quote(
			    p.name, m->texts.at + sub->name, sub->name_len);
		s->wants_donor |= s->opt.donor == NULL && sub->lost > 1;
		SLV_TRY(slv_problems_add(&s->problems, &p, err));
		if (!sub->declared)
			continue;
		SLV_TRY(slv_catalog_queue(&s->catalog, sub->at,
		    ULOG_HEAD + 3 + (uint64_t)sub->name_len, SLV_LOST, err));
		sub->declared = false;
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* The flags say where the log was continued after a crash.  A repair moves bytes
 * and leaves out what was cut there: what follows is then ordinary data. */
static enum slv_status
settle_flags(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	bool missing = m->version > 0 && !m->has_flags && m->has_header;
	bool appended = m->flags[ULOG_INCOMPAT] & ULOG_HAS_APPENDED;
	unsigned stated = 0, met = 0;

	for (int i = 0; i < ULOG_OFFSETS && appended; i++) {
		stated += slv_get_le64(m->flags + ULOG_APPENDED + 8 * i) != 0;
		met += m->met[i];
	}
	if (stated != met)
		SLV_TRY(ulog_problem(s, ULOG_P_APPENDED, s->base + ULOG_HEADER,
		    0, stated, met, err));
	if (missing && slv_scan_is_sound(s))
		return SLV_OK;
	m->reflag = !slv_scan_is_sound(s) && (appended || missing);
	if (!m->reflag || !m->has_flags)
		return SLV_OK;
	for (int i = 0; i < ULOG_OFFSETS; i++) {
		if (m->cuts[i] > 0)
			SLV_TRY(slv_catalog_queue(&s->catalog, m->cuts[i],
			    m->offsets[i] - m->cuts[i], SLV_FILLER, err));
	}
	SLV_TRY(slv_catalog_queue(&s->catalog, s->base + ULOG_HEADER,
	    ULOG_HEAD + ULOG_FLAGS_SIZE, SLV_REBUILT, err));
	return slv_catalog_apply(&s->catalog, err);
}

/* Formats that follow data are moved in front of them.  What no topic needs may be
 * of another log, which a message of this one carries. */
static enum slv_status
settle_late(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	for (size_t i = 0; i < m->n_subs; i++) {
		const struct ulog_sub *sub = &m->subs[i];

		if (sub->usable && (sub->declared || sub->n > 0))
			ulog_sub_need(m, sub);
	}
	for (size_t i = 0; i < m->n_formats; i++) {
		const struct ulog_format *f = &m->formats[i];
		uint64_t len = ULOG_HEAD + (uint64_t)f->len;

		if (f->late == 0)
			continue;
		SLV_TRY(ulog_problem(s,
		    f->used ? ULOG_P_FORMAT_LATE : ULOG_P_FORMAT_UNUSED,
		    f->late, len, 0, 0, err));
		if (!f->used) {
			SLV_TRY(slv_catalog_queue(
			    &s->catalog, f->late, len, SLV_LOST, err));
			continue;
		}
		SLV_TRY(SLV_ADD(m, edits, err,
		    (struct ulog_edit){
		        m->data_at, 0, ULOG_EDIT_FORMATS, f->late }));
		SLV_TRY(SLV_ADD(m, edits, err,
		    (struct ulog_edit){ f->late, len, ULOG_EDIT_SKIP, 0 }));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Formats of the donor that are needed, and its subscriptions. */
static enum slv_status
plan_lent(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	bool lent = false;

	for (size_t i = 0; i < m->n_subs; i++) {
		const struct ulog_sub *sub = &m->subs[i];

		if (!sub->usable || (!sub->declared && sub->n == 0))
			continue;
		if (sub->lent)
			SLV_TRY(SLV_ADD(m, edits, err,
			    (struct ulog_edit){
			        sub->first_off, 0, ULOG_EDIT_SUB, i }));
	}
	for (size_t i = 0; i < m->n_formats; i++) {
		if (!m->formats[i].lent || !m->formats[i].used)
			continue;
		lent = true;
		s->taken++;
		SLV_TRY(ulog_problem(
		    s, ULOG_P_FORMAT_GIVEN, m->data_at, 0, 0, 0, err));
	}
	if (lent)
		SLV_TRY(SLV_ADD(m, edits, err,
		    (struct ulog_edit){ m->data_at, 0, ULOG_EDIT_FORMATS, 0 }));
	slv_sort(m->edits, m->n_edits, sizeof(*m->edits), compare_edits);
	return SLV_OK;
}

/* What the repaired log holds: messages, and a sum over their subscriptions. */
static void
sum_up(struct ulog *m)
{
	m->planned = m->planned_sum = 0;
	for (size_t i = 0; i < m->n_subs; i++) {
		const struct ulog_sub *sub = &m->subs[i];

		if (!sub->usable || sub->n == 0)
			continue;
		m->planned += sub->n;
		m->planned_sum +=
		    (sub->id * UINT64_C(0x9e3779b97f4a7c15) ^ sub->first)
		        * UINT64_C(0xff51afd7ed558ccd)
		    + (sub->last ^ sub->size) * UINT64_C(0x100000001b3);
	}
}

static enum slv_status
compare_proof(const struct slv_scan *s, struct slv_err *err)
{
	const struct ulog *first = ulog_of(s->reference), *m = ulog_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ m->planned, m->planned_sum }, err);
}

/* What no reader of today reads. */
static enum slv_status
refuse(struct slv_scan *s, bool *refused, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	unsigned unknown =
	    m->flags[ULOG_INCOMPAT] & ~(unsigned)ULOG_HAS_APPENDED;

	for (int i = 1; i < 8; i++)
		unknown |= m->flags[ULOG_INCOMPAT + i];
	*refused = m->encrypted || unknown != 0;
	s->supported = !*refused;
	if (m->encrypted)
		return ulog_problem(
		    s, ULOG_P_ENCRYPTED, 0, s->source->size, 0, 0, err);
	return unknown == 0 ? SLV_OK
	                    : ulog_problem(s, ULOG_P_FLAGS,
	                        s->base + ULOG_HEADER, 0, 0, unknown, err);
}

enum slv_status
ulog_finish(struct slv_scan *s, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	bool refused;

	SLV_TRY(refuse(s, &refused, err));
	if (refused)
		return SLV_OK;
	if (!m->has_header
	    && slv_problems_count(&s->problems, &ulog_problems[ULOG_P_HEADER])
	        == 0)
		SLV_TRY(ulog_problem(s, ULOG_P_HEADER, 0, 0, 0, 0, err));
	SLV_TRY(settle_lent(s, err));
	SLV_TRY(leave_rivals(s, err));
	if (m->back || m->n_orphans > 0 || !slv_scan_is_sound(s))
		SLV_TRY(ulog_order(s, err));
	SLV_TRY(leave_orphans(s, err));
	SLV_TRY(name_unusable(s, err));
	SLV_TRY(settle_late(s, err));
	SLV_TRY(settle_flags(s, err));
	sum_up(m);
	if (s->reference != NULL)
		return compare_proof(s, err);
	return plan_lent(s, err);
}
