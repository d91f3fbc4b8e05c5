/* mcap_finish.c - all is read: do the parts agree? */
#include "core/plan/patch.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/summary/mcap_summary.h"

static enum slv_status
set_rebuilt(struct slv_scan *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	return off < end
	    ? slv_catalog_queue(&s->catalog, off, end - off, SLV_REBUILT, err)
	    : SLV_OK;
}

/* The channel that a count of a chunk is about. */
static const struct mcap_decl *
counted(const struct mcap *m, const struct mcap_chunk *c, size_t i)
{
	return &m->decls[m->counts[c->first_count + i].decl];
}

bool
mcap_chunk_is_written(const struct slv_scan *s, const struct mcap_chunk *c)
{
	const struct mcap *m = mcap_of(s);

	if (c->refuted && !(s->opt.keep & SLV_KEEP_UNVERIFIED))
		return false;
	if (c->stays || c->strange)
		return true;
	for (size_t i = 0; i < c->n_counts; i++) {
		if (mcap_decl_is_usable(m, counted(m, c, i)))
			return true;
	}
	/* Nothing but declarations, which are all there. */
	return c->headed && c->stored && c->messages == 0
	    && c->data_end > c->data;
}

bool
mcap_chunk_is_declared(const struct mcap *m, const struct mcap_chunk *c)
{
	for (size_t i = 0; i < c->n_counts; i++) {
		if (!mcap_decl_is_usable(m, counted(m, c, i)))
			return false;
	}
	return true;
}

bool
mcap_chunk_is_whole(const struct mcap *m, const struct mcap_chunk *c)
{
	return mcap_chunk_is_declared(m, c)
	    && (m->n_rivals == 0 || !c->declares || c->summed)
	    && (!m->orphans || !c->declares);
}

bool
mcap_has_indexes(const struct mcap *m)
{
	return m->indexes || m->summary.footer == 0;
}

bool
mcap_chunk_is_copied(const struct mcap *m, const struct mcap_chunk *c)
{
	return c->strange
	    || (c->stays && mcap_chunk_is_whole(m, c)
	        && (c->indexed || (c->messages == 0 && !c->has_index)
	            || !mcap_has_indexes(m)));
}

/* Messages of channels of which no declaration survives are of no use to a
 * reader, and it refuses a channel without its schema, or before it. */
static enum slv_status
finish_channels(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		if (d->op == MCAP_SCHEMA && d->late
		    && (d->recorded || d->in_summary))
			SLV_TRY(mcap_problem(s, MCAP_P_SCHEMA_LATE, d->need_off,
			    0, d->id, 0, err));
		if (d->op != MCAP_CHANNEL)
			continue;
		m->orphans |= d->declared && !mcap_decl_is_usable(m, d);
		s->wants_donor |=
		    !mcap_decl_is_usable(m, d) && s->opt.donor == NULL;
		if (d->n == 0) {
			if (d->declared && !mcap_decl_is_usable(m, d))
				SLV_TRY(mcap_problem(s, MCAP_P_NO_SCHEMA,
				    d->place, 0, d->id, d->schema, err));
		} else if (!mcap_decl_is_usable(m, d)) {
			SLV_TRY(mcap_problem(s, MCAP_P_UNDECLARED,
			    d->need_off != 0 ? d->need_off : d->place, 0, d->id,
			    d->n, err));
		} else if (d->late) {
			SLV_TRY(mcap_problem(s,
			    d->recorded || d->in_summary ? MCAP_P_UNANNOUNCED
			                                 : MCAP_P_DONOR,
			    d->need_off, 0, d->id, d->n, err));
		}
	}
	return SLV_OK;
}

/* The beginning of the file. */
static enum slv_status
finish_head(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	bool told = false;

	for (size_t i = 0; i < s->problems.n_counts; i++)
		told |= s->problems.counts[i].info
		    == &mcap_problems[MCAP_P_HEADER_LOST];
	return told || (m->magic && m->header_len > 0)
	    ? SLV_OK
	    : mcap_problem(s, MCAP_P_HEADER_LOST, s->base, 0, 0, 0, err);
}

enum slv_status
mcap_rebuild_kept(
    struct slv_scan *s, uint64_t from, uint64_t end, struct slv_err *err)
{
	const struct slv_catalog *k = &s->catalog;

	if (from >= end)
		return SLV_OK;
	for (size_t i = slv_catalog_find(k, from);
	     i < k->n && k->at[i].off < end; i++) {
		const struct slv_extent *x = &k->at[i];

		if (x->fate == SLV_KEPT)
			SLV_TRY(set_rebuilt(s, slv_max64(x->off, from),
			    slv_min64(x->off + x->len, end), err));
	}
	return SLV_OK;
}

/* What is rebuilt is not kept. */
static enum slv_status
mark_rebuilt(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;

	for (size_t i = 0; i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		if (mcap_chunk_is_copied(m, c))
			continue;
		if (c->headed)
			SLV_TRY(set_rebuilt(s, c->off, c->data, err));
		if (c->codec != SLV_CODEC_NONE
		    && (!c->stored || !mcap_chunk_is_whole(m, c)))
			SLV_TRY(set_rebuilt(s, c->data, c->data_end, err));
		if (c->has_index)
			SLV_TRY(mcap_rebuild_kept(s, c->index, c->end, err));
	}
	if (!x->stays)
		SLV_TRY(mcap_rebuild_kept(s, mcap_summary_from(x),
		    x->footer != 0 ? x->footer + MCAP_FOOTER_SIZE : x->end,
		    err));
	return slv_catalog_apply(&s->catalog, err);
}

/* Whether the head was lost: none is there, or it was written again. */
static bool
lost_head(const struct slv_scan *s, const struct mcap_chunk *c)
{
	if (!c->headed)
		return !c->bare || c->has_index;
	return s->opt.mends != NULL
	    && slv_mends_hit(s->opt.mends, c->off, c->data - c->off);
}

/* A checksum that is lost confirms nothing, where others confirm what they are of. */
static void
doubt_unsummed(struct slv_scan *s)
{
	const struct mcap *m = mcap_of(s);
	bool any = false;

	for (size_t i = 0; i < m->n_chunks && !m->summary.doubted; i++)
		any |= m->chunks[i].summed;
	for (size_t i = 0; any && i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		if (!c->summed && !c->framed && lost_head(s, c))
			s->units_unsure += c->messages;
	}
}

/* Return true if no message is missing: checksums confirm the summary, and all that
 * it counts is there, each chunk in its place. */
static bool
is_all_there(const struct slv_scan *s)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;

	return s->checksummed && x->proven && x->counted > 0
	    && x->counted == m->messages && x->chunks == m->n_chunks
	    && mcap_names_chunks(m, true) && x->extras == m->n_extras
	    && m->n_spoilt == 0 && !m->unread;
}

/* Then no message is in bytes that are lost.  Something else may be, which no summary
 * counts: the header, or a record with a private opcode. */
static void
excuse_messages(struct slv_scan *s)
{
	if (!is_all_there(s))
		return;
	s->units_lost = 0;
	s->lost_loose = s->absent = false;
}

/* An attachment without a checksum, after which something cannot be read, may have
 * bytes that are not its own, if nothing after it is at the place that the summary
 * states. */
static enum slv_status
doubt_attachments(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);

	for (size_t i = 0; i < m->n_extras; i++) {
		const struct mcap_extra *e = &m->extras[i];
		uint64_t end = e->off + e->len;
		struct mcap_record r;
		bool follows;

		if (e->summed || end >= s->logical_end || s->own_upto > end)
			continue;
		SLV_TRY(mcap_look_strict(s, end, &r, &follows, err));
		if (follows)
			continue;
		s->units_unsure++;
		SLV_TRY(mcap_problem(
		    s, MCAP_P_ATTACHMENT_UNSURE, e->off, e->len, 0, 0, err));
	}
	return SLV_OK;
}

static enum slv_status
compare_proof(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *first = s->reference->state, *m = mcap_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ m->messages, m->sum }, err);
}

enum slv_status
mcap_finish(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	s->supported = true;
	SLV_TRY(mcap_chunk_close(s, err));
	SLV_TRY(finish_head(s, err));
	SLV_TRY(mcap_summary_check(s, err));
	mcap_own_placed(s);
	SLV_TRY(mcap_decl_settle(s, err));
	SLV_TRY(mcap_take(s, err));
	SLV_TRY(mcap_doubt_declarations(s, err));
	SLV_TRY(finish_channels(s, err));
	if (m->summary.data_end != 0 || m->summary.footer != 0)
		s->end = SLV_END_KNOWN;
	doubt_unsummed(s);
	s->keeps_others = m->n_extras > 0;
	s->checksummed = m->n_chunks > 0;
	for (size_t i = 0; i < m->n_chunks; i++)
		s->checksummed &= m->chunks[i].summed;
	if (s->reference != NULL)
		return compare_proof(s, err);
	if (m->header_len == 0 && m->messages == 0 && m->n_decls == 0
	    && m->n_extras == 0) {
		m->nothing = true;
		return mcap_problem(s, MCAP_P_NOTHING, 0, 0, 0, 0, err);
	}
	if (slv_scan_is_sound(s))
		return SLV_OK;
	SLV_TRY(doubt_attachments(s, err));
	SLV_TRY(mark_rebuilt(s, err));
	SLV_TRY(mcap_mark_lost(s, err));
	excuse_messages(s);
	/* Some of the unsure ones may be among the lost. */
	s->units_unsure = slv_min64(s->units_unsure, s->units_kept);
	return SLV_OK;
}
