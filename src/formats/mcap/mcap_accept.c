/* mcap_accept.c - a unit belongs to the file: remember what it says. */
#include "base/mem.h"
#include "formats/mcap/summary/mcap_summary.h"
#include "formats/mcap/read/mcap_unit.h"

/* Records outside of chunks that are copied as they are: one more, or the first. */
static enum slv_status
add_item(struct slv_scan *s, uint64_t off, uint64_t len, size_t chunk,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_item *last =
	    m->n_items > 0 ? &m->items[m->n_items - 1] : NULL;

	if (last != NULL && chunk == MCAP_NONE && last->chunk == MCAP_NONE
	    && last->off + last->len == off) {
		last->len += len;
		return SLV_OK;
	}
	SLV_TRY(slv_grow(
	    &m->items, &m->cap_items, m->n_items + 1, sizeof(*m->items), err));
	m->items[m->n_items++] = (struct mcap_item){ off, len, chunk, 0 };
	return SLV_OK;
}

/* Bytes in [from, end) that could not be read were no summary: count them as lost. */
static enum slv_status
lose_unread(
    struct slv_scan *s, uint64_t from, uint64_t end, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	const struct slv_range range = { from, end };

	SLV_TRY(slv_problems_recast(&s->problems,
	    &mcap_problems[MCAP_P_BAD_SUMMARY],
	    &mcap_problems[MCAP_P_BAD_RECORD], &range, err));
	for (size_t i = slv_catalog_find(c, from);
	     i < c->n && c->at[i].off < end; i++) {
		const struct slv_extent *x = &c->at[i];

		if (x->off < from || x->fate != SLV_REBUILT
		    || x->part != SLV_PART_DATA)
			continue;
		slv_scan_lose(s, 1, NULL);
		s->lost_loose = true;
		SLV_TRY(slv_catalog_queue(
		    &s->catalog, x->off, x->len, SLV_LOST, err));
	}
	return SLV_OK;
}

/* More data follow: what seemed to begin the summary did not. */
static enum slv_status
leave_summary(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t from = mcap_summary_from(&m->summary);

	if (!m->in_summary)
		return SLV_OK;
	m->in_summary = false;
	m->n_placed = 0;
	m->summary = (struct mcap_summary){ .odd = true };
	if (from < s->catalog.end)
		SLV_TRY(lose_unread(s, from, s->catalog.end, err));
	return mcap_rebuild_kept(s, from, m->upto, err);
}

enum slv_status
mcap_accept_chunk(struct slv_scan *s, uint64_t off, const struct mcap_head *h,
    bool headed, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	SLV_TRY(
	    mcap_chunk_open(s, off, h->data, &h->claim, headed, h->codec, err));
	m->chunks[m->n_chunks - 1].damaged = h->damaged || h->open;
	SLV_TRY(leave_summary(s, err));
	return add_item(s, off, 0, m->n_chunks - 1, err);
}

/* Whether the last chunk states that it reaches beyond off. */
static bool
is_claimed(const struct mcap *m, uint64_t off)
{
	const struct mcap_chunk *c =
	    m->n_chunks > 0 ? &m->chunks[m->n_chunks - 1] : NULL;

	return c != NULL && c->headed && c->codec == SLV_CODEC_NONE
	    && c->claim.stored != MCAP_OPEN && off >= c->data
	    && off - c->data < c->claim.stored;
}

/* Whether a record that is of no headed chunk is of one whose head is lost: where
 * there are chunks readers see no others, but before the first one or directly after
 * another record.  No reader that uses indexes sees a message there. */
static bool
is_stray(const struct mcap *m, uint64_t off, unsigned op)
{
	if (is_claimed(m, off))
		return true;
	return m->chunked
	    && (m->upto != off || (m->open && !m->in_index)
	        || (m->indexes && op == MCAP_MESSAGE));
}

/* Whether the records that are read are of a chunk whose head is lost. */
static bool
is_headless(const struct mcap *m)
{
	return m->open && !m->in_index && !m->chunks[m->n_chunks - 1].headed;
}

/* A record that may be in a chunk, and is not compressed. */
static enum slv_status
accept_inner(struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	struct mcap *m = mcap_edit(s);
	struct mcap_entry e = mcap_entry_get(r, off);
	bool inside = mcap_is_inside(m, off) || is_headless(m);
	uint64_t sum;
	size_t decl = 0;

	if (!inside && is_stray(m, off, r->op)) {
		const struct mcap_head none = { .data = off };
		bool bare = m->upto == off && !is_claimed(m, off);

		SLV_TRY(mcap_accept_chunk(s, off, &none, false, err));
		m->chunks[m->n_chunks - 1].bare = bare;
		inside = true;
	}
	if (r->op == MCAP_SCHEMA || r->op == MCAP_CHANNEL)
		SLV_TRY(mcap_declare(s, &b, off, r, off, false, false, err));
	if (inside) {
		SLV_TRY(mcap_chunk_add(s, &e, off, err));
		if (m->chunks[m->n_chunks - 1].claim.crc == 0 || m->gaps)
			return SLV_OK;
		return mcap_crc(&b, off, mcap_span(r), &m->crc, err);
	}
	SLV_TRY(mcap_chunk_close(s, err));
	if (r->op == MCAP_MESSAGE)
		SLV_TRY(mcap_count_message(s, &e, off, &decl, &sum, err));
	return add_item(s, off, mcap_span(r), MCAP_NONE, err);
}

enum slv_status
mcap_accept_declaration(struct slv_scan *s, const struct mcap_bytes *b,
    uint64_t at, uint64_t place, bool proven, struct slv_err *err)
{
	struct mcap_record r;
	enum mcap_read read;
	bool text;

	SLV_TRY(mcap_record_get(b, at, &r, &read, err));
	SLV_TRY(mcap_record_is_text(b, at, &r, false, &text, err));
	return text || proven
	    ? mcap_declare(s, b, at, &r, place, proven, false, err)
	    : mcap_decl_refuse(s, r.op, (uint16_t)r.v[MCAP_ID], err);
}

/* The records of a compressed chunk. */
static enum slv_status
accept_packed(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	const struct mcap_head h = mcap_head_of(u);
	bool proven, part = u->fate != SLV_KEPT;
	const struct mcap_body *body;
	struct mcap_chunk *c;
	struct mcap_bytes b;

	if (u->fate == SLV_LOST) {
		SLV_TRY(leave_summary(s, err));
		SLV_TRY(mcap_chunk_close(s, err));
		m->orphaned = true;
		return SLV_OK;
	}
	SLV_TRY(mcap_packed_body(s, &h, &body, err));
	/* It was decoded again, and another process writes to the file. */
	if (!part && !body->whole)
		return slv_scan_changed(s, err);
	SLV_TRY(mcap_accept_chunk(s, off, &h, h.data > off, err));
	c = &m->chunks[m->n_chunks - 1];
	c->limit = body->limit;
	c->data_end = c->end = c->index = off + u->len;
	c->size = body->decode.out.len;
	c->stored = !part;
	c->refuted = body->refuted;
	/* What came after that is not there, however the damage looks. */
	s->absent |= part;
	s->lost_loose |= part;
	c->damaged |= body->field_wrong;
	proven = c->summed = !part && body->summed;
	c->framed = !part && body->decode.pieces->proven;
	b = (struct mcap_bytes){ NULL, body->decode.out.at,
		body->decode.out.len };
	m->gaps = part;
	for (size_t i = 0; i < body->entries.n; i++) {
		const struct mcap_entry *e = &body->entries.at[i];

		if (e->op == MCAP_SCHEMA || e->op == MCAP_CHANNEL)
			SLV_TRY(mcap_accept_declaration(
			    s, &b, e->at, off, proven, err));
		SLV_TRY(mcap_chunk_add(s, e, off, err));
		if (e->op != MCAP_MESSAGE)
			continue;
		s->units_kept++;
		s->units_unsure += part && body->decode.how != SLV_DECODED_CUT;
		SLV_TRY(slv_gaps_block(
		    &s->gaps, e->id, mcap_moment(e->time), e->len, err));
	}
	return SLV_OK;
}

/* A chunk that nothing here can decode. */
static enum slv_status
accept_strange(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	const struct mcap_head h = mcap_head_of(u);
	struct mcap_chunk *c;

	SLV_TRY(mcap_accept_chunk(s, off, &h, true, err));
	c = &m->chunks[m->n_chunks - 1];
	c->strange = c->stored = m->unread = true;
	c->limit = c->data_end = c->end = c->index = off + u->len;
	c->size = h.claim.size;
	return SLV_OK;
}

static enum slv_status
accept_index(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct mcap_record *r, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_chunk *c;
	bool same = false, ours = false;

	m->indexes = true;
	if (m->open)
		SLV_TRY(mcap_index_check(s, off, r, &same, &ours, err));
	if (!m->open || (!ours && off != m->upto)) {
		/* That a chunk was lost is told already. */
		m->orphaned |= off != m->upto;
		if (!m->orphaned)
			u->problem = MCAP_P_INDEX;
		u->fate = SLV_REBUILT;
		/* In the data of a chunk an index shows that bytes are missing
		 * or too many. */
		u->part = SLV_PART_DATA;
		return mcap_chunk_close(s, err);
	}
	c = &m->chunks[m->n_chunks - 1];
	if (!m->in_index) {
		c->index = off;
		/* Of a chunk whose end was lost nothing else says where. */
		if (c->data_end > off)
			c->data_end = off;
	}
	m->in_index = c->has_index = true;
	m->index_odd |= !same || off != m->upto;
	c->end = off + u->len;
	return SLV_OK;
}

static enum slv_status
accept_header(struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	const uint8_t *p;

	m->header_off = off;
	m->header_len = mcap_span(r);
	SLV_TRY(slv_window_view(s->window, off + r->at[MCAP_NAME],
	    (size_t)r->v[MCAP_NAME], &p, err));
	slv_buf_add(&m->profile, p, (size_t)r->v[MCAP_NAME]);
	SLV_TRY(slv_window_view(s->window, off + r->at[MCAP_ENCODING],
	    (size_t)r->v[MCAP_ENCODING], &p, err));
	slv_buf_add(&m->library, p, (size_t)r->v[MCAP_ENCODING]);
	return m->profile.failed || m->library.failed
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

/* An attachment or metadata. */
static enum slv_status
accept_extra(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct mcap_record *r, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	bool refuted;

	SLV_TRY(mcap_chunk_close(s, err));
	SLV_TRY(mcap_attachment_check(s, off, r, &refuted, err));
	if (refuted) {
		SLV_TRY(slv_grow(&m->spoilt, &m->cap_spoilt, m->n_spoilt + 1,
		    sizeof(*m->spoilt), err));
		m->spoilt[m->n_spoilt++] = off;
		u->problem = MCAP_P_ATTACHMENT;
		u->fate = SLV_LOST;
		return SLV_OK;
	}
	SLV_TRY(add_item(s, off, mcap_span(r), MCAP_NONE, err));
	if (r->op >= MCAP_OPS)
		return SLV_OK;
	SLV_TRY(slv_grow(&m->extras, &m->cap_extras, m->n_extras + 1,
	    sizeof(*m->extras), err));
	m->extras[m->n_extras++] = (struct mcap_extra){
		.op = r->op,
		.off = off,
		.len = mcap_span(r),
		.summed = r->op != MCAP_ATTACHMENT || r->v[MCAP_CRC] != 0,
	};
	return SLV_OK;
}

/* A record of the summary, or DataEnd before it. */
static enum slv_status
accept_summary(struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	struct mcap *m = mcap_edit(s);
	struct mcap_summary *x = &m->summary;

	SLV_TRY(mcap_chunk_close(s, err));
	x->odd |= m->in_summary ? off != m->upto : false;
	m->in_summary = true;
	if (r->op == MCAP_DATA_END_OP) {
		x->odd |= x->data_end != 0 || x->from != 0;
		x->data_end = off;
		x->data_crc = (uint32_t)r->v[MCAP_CRC];
		x->from = x->end = off + mcap_span(r);
		return SLV_OK;
	}
	if (x->from == 0)
		x->from = off;
	if (r->op == MCAP_FOOTER) {
		x->odd |= x->footer != 0;
		x->end = x->footer = off;
		x->start = r->v[MCAP_START];
		x->offsets = r->v[MCAP_OFFSET];
		x->crc = (uint32_t)r->v[MCAP_CRC];
		return SLV_OK;
	}
	x->end = off + mcap_span(r);
	if (r->op == MCAP_SCHEMA || r->op == MCAP_CHANNEL)
		SLV_TRY(mcap_declare(s, &b, off, r, off, false, true, err));
	if (r->op == MCAP_STATISTICS)
		x->statistics = off;
	SLV_TRY(mcap_placed_add(s, off, r, err));
	if (r->op < MCAP_OPS)
		x->groups |= MCAP_BIT(r->op);
	return SLV_OK;
}

/* A unit that is one record. */
static enum slv_status
accept_record(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_record r, next = { .op = MCAP_OPS };
	enum mcap_read read;

	SLV_TRY(mcap_look(s, off, &r, &read, err));
	if (r.op == MCAP_HEADER)
		return accept_header(s, off, &r, err);
	if (r.op == MCAP_MESSAGE_INDEX && !m->in_summary)
		return accept_index(s, off, u, &r, err);
	if (r.op == MCAP_MESSAGE || r.op == MCAP_ATTACHMENT
	    || r.op == MCAP_METADATA)
		SLV_TRY(leave_summary(s, err));
	if (m->in_summary
	    || (r.op < MCAP_OPS
	        && ((MCAP_DERIVED | MCAP_BIT(MCAP_DATA_END_OP)) >> r.op & 1)))
		return accept_summary(s, off, &r, err);
	if (r.op < MCAP_OPS && (MCAP_INNER >> r.op & 1))
		return accept_inner(s, off, &r, err);
	if (r.op >= MCAP_OPS && !mcap_is_inside(m, off) && is_headless(m))
		SLV_TRY(mcap_look(s, off + u->len, &next, &read, err));
	if (r.op >= MCAP_OPS
	    && (mcap_is_inside(m, off)
	        || (next.op < MCAP_OPS && (MCAP_INNER >> next.op & 1))))
		return accept_inner(s, off, &r, err);
	return accept_extra(s, off, u, &r, err);
}

/* Whether all data of the open chunk were read: what is missing after that is not of
 * them. */
static bool
is_complete(const struct mcap *m)
{
	const struct mcap_chunk *c = &m->chunks[m->n_chunks - 1];

	return c->codec != SLV_CODEC_NONE
	    || (c->headed && m->upto - c->data >= c->claim.stored);
}

enum slv_status
mcap_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	if (u->fate == SLV_FOREIGN)
		return SLV_OK;
	if (u->problem == MCAP_P_SPOILT_EXTRA) {
		m->upto = off + u->len;
		return mcap_chunk_close(s, err);
	}
	if (m->open && (off != m->upto || u->problem == MCAP_P_SPOILT)
	    && !is_complete(m))
		m->gaps = true;
	if (u->problem == MCAP_P_SPOILT) {
		m->summary.odd |= m->in_summary;
		m->upto = off + u->len;
		return SLV_OK;
	}
	if (u->tag == MCAP_TAG_MAGIC) {
		m->magic |= !u->ends && u->fate == SLV_KEPT;
		m->summary.ended = u->ends;
	} else if (u->tag == MCAP_TAG_PACKED) {
		SLV_TRY(accept_packed(s, off, u, err));
	} else if (u->tag == MCAP_TAG_STRANGE) {
		SLV_TRY(accept_strange(s, off, u, err));
	} else if (u->tag == MCAP_CHUNK) {
		const struct mcap_head h = mcap_head_of(u);

		SLV_TRY(mcap_accept_chunk(s, off, &h, true, err));
	} else {
		SLV_TRY(accept_record(s, off, u, err));
	}
	m->upto = off + u->len;
	return SLV_OK;
}
