/* ulog_build.c - the repaired log as a plan.
 *
 * What is kept is copied in order.  Readers know three rules: no format follows
 * the first subscription, no message precedes its subscription, and where data
 * are lost a dropout says for how long.
 */
#include "formats/ulog/ulog_state.h"

static enum slv_status
put_message(struct slv_plan *plan, uint8_t type, const void *body, size_t n,
    struct slv_err *err)
{
	uint8_t head[ULOG_HEAD] = { 0, 0, type };

	slv_put_le16(head, (uint16_t)n);
	SLV_TRY(slv_plan_bytes(plan, head, sizeof(head), err));
	return slv_plan_bytes(plan, body, n, err);
}

/* The earliest time of all subscriptions. */
static uint64_t
start_of(const struct ulog *m)
{
	uint64_t start = UINT64_MAX;

	for (size_t i = 0; i < m->n_subs; i++) {
		if (m->subs[i].usable && m->subs[i].n > 0)
			start = slv_min64(start, m->subs[i].first);
	}
	return start == UINT64_MAX ? 0 : start;
}

static enum slv_status
put_head(struct slv_scan *s, struct slv_plan *plan, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	uint8_t header[ULOG_HEADER] = ULOG_MAGIC "\x01", flags[ULOG_FLAGS_SIZE];

	if (m->has_header) {
		SLV_TRY(slv_plan_copy(plan, s->base, ULOG_HEADER, err));
	} else {
		slv_put_le64(header + 8, start_of(m));
		SLV_TRY(slv_plan_bytes(plan, header, sizeof(header), err));
	}
	if (m->has_header && m->version == 0 && !m->has_flags)
		return SLV_OK;
	memcpy(flags, m->flags, sizeof(flags));
	if (m->has_default)
		flags[0] |= ULOG_HAS_DEFAULTS;
	memset(flags + ULOG_INCOMPAT, 0, sizeof(flags) - ULOG_INCOMPAT);
	return put_message(plan, 'B', flags, sizeof(flags), err);
}

/* A format that was found late, or those of the donor. */
static enum slv_status
put_formats(struct slv_scan *s, uint64_t late, struct slv_plan *plan,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	struct ulog_message msg;

	if (late > 0) {
		SLV_TRY(ulog_look_again(s, late, ULOG_TAG_FORMAT, &msg, err));
		return slv_plan_copy(
		    plan, late, ULOG_HEAD + (uint64_t)msg.size, err);
	}
	for (size_t i = 0; i < m->n_formats; i++) {
		const struct ulog_format *f = &m->formats[i];

		if (f->lent && f->used)
			SLV_TRY(put_message(
			    plan, 'F', m->texts.at + f->text, f->len, err));
	}
	return SLV_OK;
}

static enum slv_status
put_sub(const struct ulog *m, const struct ulog_sub *sub, struct slv_plan *plan,
    struct slv_err *err)
{
	uint8_t body[3 + UINT8_MAX + 1] = { sub->multi };

	slv_put_le16(body + 1, sub->id);
	memcpy(body + 3, m->texts.at + sub->name, sub->name_len);
	return put_message(plan, 'A', body, 3 + (size_t)sub->name_len, err);
}

/* A dropout is not longer than its 16 bits. */
static enum slv_status
put_dropouts(struct slv_plan *plan, uint64_t ms, struct slv_err *err)
{
	uint8_t body[2];

	for (uint64_t part; ms > 0; ms -= part) {
		part = slv_min64(ms, UINT16_MAX);
		slv_put_le16(body, (uint16_t)part);
		SLV_TRY(put_message(plan, 'O', body, sizeof(body), err));
	}
	return SLV_OK;
}

static enum slv_status
put_edit(struct slv_scan *s, const struct ulog_edit *e, struct slv_plan *plan,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);

	switch (e->kind) {
	case ULOG_EDIT_FORMATS: return put_formats(s, e->arg, plan, err);
	case ULOG_EDIT_SUB: return put_sub(m, &m->subs[e->arg], plan, err);
	case ULOG_EDIT_DROPOUT: return put_dropouts(plan, e->arg, err);
	default: return SLV_OK;
	}
}

enum slv_status
ulog_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	size_t next = 0;

	*possible = s->units_kept > 0 || s->keeps_others;
	if (!*possible)
		return SLV_OK;
	if (m->reflag || !m->has_header)
		SLV_TRY(put_head(s, plan, err));
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];
		uint64_t at = x->off, end = x->off + x->len;

		if (x->fate != SLV_KEPT
		    || (x->part == SLV_PART_FRAME && plan->size > 0
		        && (m->reflag || !m->has_header)))
			continue;
		for (; next < m->n_edits && m->edits[next].off < end; next++) {
			const struct ulog_edit *e = &m->edits[next];

			if (e->off > at) {
				SLV_TRY(
				    slv_plan_copy(plan, at, e->off - at, err));
				at = e->off;
			}
			SLV_TRY(put_edit(s, e, plan, err));
			at = slv_max64(at, slv_min64(e->off + e->len, end));
		}
		SLV_TRY(slv_plan_copy(plan, at, end - at, err));
	}
	return SLV_OK;
}
