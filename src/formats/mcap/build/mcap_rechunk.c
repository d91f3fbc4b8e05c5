/* mcap_rechunk.c - a chunk of the output.
 *
 * One that is as it was is copied with its index.  One whose data are as they were
 * gets a new head and index.  Of any other what is left of its records is written
 * uncompressed, with a checksum.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/mcap/build/mcap_build.h"

/* What a chunk's records are decoded to, or the input. */
static enum slv_status
bytes_of(struct slv_scan *s, const struct mcap_chunk *c, struct mcap_bytes *out,
    struct slv_err *err)
{
	const struct mcap_body *body;

	*out = mcap_bytes_of(s);
	if (c->codec == SLV_CODEC_NONE)
		return SLV_OK;
	SLV_TRY(mcap_body_at(s, c->data, c->limit, c->codec, c->claim.size,
	    c->claim.stored == MCAP_OPEN ? 0 : c->claim.crc, &body, err));
	*out = (struct mcap_bytes){ NULL, body->decode.out.at,
		body->decode.out.len };
	return SLV_OK;
}

/* The records of the chunk: as they are listed, or read once more. */
static enum slv_status
load_entries(struct mcap_build *x, const struct mcap_chunk *c,
    const struct mcap_bytes *b, struct slv_err *err)
{
	bool plain = c->codec == SLV_CODEC_NONE;
	uint64_t at = plain ? c->data : 0, end = plain ? c->data_end : c->size;
	struct mcap_entries *e = &x->entries;

	e->n = 0;
	if (c->n_entries > 0) {
		SLV_TRY(slv_grow(
		    &e->at, &e->cap, c->n_entries, sizeof(*e->at), err));
		memcpy(e->at, x->mcap->kept.at + c->first_entry,
		    c->n_entries * sizeof(*e->at));
		e->n = c->n_entries;
		return SLV_OK;
	}
	while (at < end) {
		struct mcap_record r;
		enum mcap_read read;
		size_t decl;

		SLV_TRY(mcap_record_get(b, at, &r, &read, err));
		if (read != MCAP_WHOLE)
			return slv_scan_changed(x->scan, err);
		SLV_TRY(
		    slv_grow(&e->at, &e->cap, e->n + 1, sizeof(*e->at), err));
		e->at[e->n] = mcap_entry_get(&r, at);
		decl = mcap_decl_find(
		    x->mcap, MCAP_CHANNEL, (uint16_t)r.v[MCAP_ID]);
		e->at[e->n++].decl = (uint32_t)decl;
		at += mcap_span(&r);
	}
	return SLV_OK;
}

/* Keep the records that readers can use: no messages of channels that nothing declares,
 * no channels without their schema, and no wrong declarations. */
static enum slv_status
drop_useless(struct mcap_build *x, const struct mcap_chunk *c,
    const struct mcap_bytes *b, struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	struct mcap_entries *e = &x->entries;
	size_t n = 0;
	bool wrong;

	for (size_t i = 0; i < e->n; i++) {
		SLV_TRY(mcap_decl_is_wrong(
		    m, b, e->at[i].at, &e->at[i], &wrong, err));
		if (mcap_entry_is_usable(m, &e->at[i]) && (!wrong || c->summed))
			e->at[n++] = e->at[i];
	}
	e->n = n;
	return SLV_OK;
}

/* What the head of the chunk will say of its records. */
static enum slv_status
survey(struct mcap_build *x, struct mcap_chunk *c, const struct mcap_bytes *b,
    struct slv_err *err)
{
	struct mcap *m = x->mcap;
	uint32_t crc = 0;
	size_t first = m->n_out_counts;

	c->out_size = c->out_messages = c->out_to = 0;
	c->out_from = UINT64_MAX;
	c->out_count = first;
	for (size_t i = 0; i < x->entries.n; i++) {
		const struct mcap_entry *e = &x->entries.at[i];
		size_t k = first;

		SLV_TRY(mcap_crc(b, e->at, e->len, &crc, err));
		c->out_size += e->len;
		if (e->op != MCAP_MESSAGE)
			continue;
		mcap_plan_message(m, e);
		c->out_messages++;
		c->out_from = slv_min64(c->out_from, e->time);
		c->out_to = slv_max64(c->out_to, e->time);
		if (m->decls[e->decl].n_here++ > 0)
			continue;
		k = m->n_out_counts;
		SLV_TRY(slv_grow(&m->out_counts, &m->cap_out_counts, k + 1,
		    sizeof(*m->out_counts), err));
		m->out_counts[m->n_out_counts++] =
		    (struct mcap_count){ e->decl, 0, 0 };
	}
	c->n_out_counts = m->n_out_counts - first;
	for (size_t i = first; i < m->n_out_counts; i++) {
		struct mcap_decl *d = &m->decls[m->out_counts[i].decl];

		m->out_counts[i].n = d->n_here;
		d->n_here = 0;
	}
	/* What no checksum confirmed gets none. */
	c->out_crc = c->summed ? crc : 0;
	return SLV_OK;
}

/* The MessageIndex of a channel, with zeros for the messages to be named.  The first
 * of them is at ->n_here of the buffer. */
static void
begin_index(struct mcap_build *x, struct mcap_count *n)
{
	struct mcap_decl *d = &x->mcap->decls[n->decl];
	size_t begun;

	n->index = x->plan->size + x->buf.len;
	begun = mcap_begin_record(&x->buf, MCAP_MESSAGE_INDEX);
	slv_buf_put16(&x->buf, d->id);
	slv_buf_put32(&x->buf, (uint32_t)(n->n * MCAP_ENTRY));
	d->n_here = x->buf.len;
	for (uint64_t i = 0; i < n->n; i++) {
		slv_buf_put64(&x->buf, 0);
		slv_buf_put64(&x->buf, 0);
	}
	mcap_end_record(&x->buf, begun);
}

/* Name each message in the index of its channel. */
static void
name_messages(struct mcap_build *x)
{
	uint64_t at = 0;

	for (size_t i = 0; i < x->entries.n && !x->buf.failed; i++) {
		const struct mcap_entry *e = &x->entries.at[i];

		if (e->op == MCAP_MESSAGE) {
			uint64_t *to = &x->mcap->decls[e->decl].n_here;

			slv_put_le64(x->buf.at + *to, e->time);
			slv_put_le64(x->buf.at + *to + 8, at);
			*to += MCAP_ENTRY;
		}
		at += e->len;
	}
}

/* Put the MessageIndexes of the chunk; x->entries are all its records, in order. */
static enum slv_status
put_index(struct mcap_build *x, struct mcap_chunk *c, struct slv_err *err)
{
	struct mcap *m = x->mcap;
	struct mcap_count *counts;
	uint32_t *order;
	enum slv_status st;

	c->out_index_len = 0;
	/* The writer of this file makes no MessageIndexes. */
	if (!m->indexes && m->summary.footer != 0)
		c->n_out_counts = 0;
	if (c->n_out_counts == 0)
		return SLV_OK;
	counts = m->out_counts + c->out_count;
	order = slv_calloc(c->n_out_counts, sizeof(*order));
	st = order == NULL ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                   : mcap_channel_order(m, &x->style, &x->ranks, counts,
	                       c->n_out_counts, c->n_used, false, order, err);

	for (size_t i = 0; st == SLV_OK && i < c->n_out_counts; i++)
		begin_index(x, &counts[order[i]]);
	slv_free(order);
	SLV_TRY(st);
	name_messages(x);
	for (size_t i = 0; i < c->n_out_counts; i++)
		m->decls[counts[i].decl].n_here = 0;
	c->out_index_len = x->buf.len;
	return mcap_flush(x, err);
}

/* Encode a stretch of the records that a compressed chunk holds. */
static enum slv_status
make_records(const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *err)
{
	struct slv_scan *s = (struct slv_scan *)ctx;
	const struct mcap *m = mcap_of(s);
	struct mcap_made made = m->made[arg];
	const struct mcap_chunk *c = &m->chunks[made.chunk];
	struct mcap_bytes b;

	SLV_TRY(bytes_of(s, c, &b, err));
	for (size_t i = made.entry; i < c->n_entries && made.len > 0; i++) {
		const struct mcap_entry *e = &m->kept.at[c->first_entry + i];
		uint64_t n = slv_min64(e->len - made.skip, made.len);

		if (!slv_range_in(e->at, e->len, b.end))
			return slv_scan_changed(s, err);
		memcpy(out, b.at + e->at + made.skip, n);
		out += n;
		made.skip = 0;
		made.len -= (uint32_t)n;
	}
	return SLV_OK;
}

/* Go on to the record after a stretch, or into it. */
static void
pass(const struct mcap_entries *e, struct mcap_made *made)
{
	made->skip += made->len;
	while (made->entry < e->n && made->skip >= e->at[made->entry].len)
		made->skip -= e->at[made->entry++].len;
}

/* All records of a compressed chunk that are kept.  They are listed, to be found when
 * the plan is read. */
static enum slv_status
put_made(struct mcap_build *x, size_t chunk, struct slv_err *err)
{
	struct mcap *m = x->mcap;
	struct mcap_chunk *c = &m->chunks[chunk];
	struct mcap_made made = { .chunk = chunk };

	/* The plan reads what is kept, and that is never more than was listed. */
	if (c->n_entries < x->entries.n) {
		SLV_TRY(mcap_remember(
		    x->scan, x->entries.n * sizeof(*x->entries.at), err));
		SLV_TRY(slv_grow(&m->kept.at, &m->kept.cap,
		    m->kept.n + x->entries.n, sizeof(*m->kept.at), err));
		c->first_entry = m->kept.n;
		m->kept.n += x->entries.n;
	}
	c->n_entries = x->entries.n;
	if (c->n_entries > 0)
		memcpy(m->kept.at + c->first_entry, x->entries.at,
		    x->entries.n * sizeof(*x->entries.at));
	for (uint64_t left = c->out_size; left > 0; left -= made.len) {
		made.len = (uint32_t)slv_min64(left, SLV_MADE_MAX);
		SLV_TRY(slv_grow(&m->made, &m->cap_made, m->n_made + 1,
		    sizeof(*m->made), err));
		m->made[m->n_made] = made;
		SLV_TRY(slv_plan_make(x->plan, made.len, make_records, NULL,
		    x->scan, m->n_made++, err));
		pass(&x->entries, &made);
	}
	return SLV_OK;
}

/* The data as they are, or the records that are left of them. */
static enum slv_status
put_data(struct mcap_build *x, size_t chunk, bool whole, struct slv_err *err)
{
	const struct mcap_chunk *c = &x->mcap->chunks[chunk];

	if (whole)
		return slv_plan_copy(
		    x->plan, c->data, c->data_end - c->data, err);
	if (c->codec != SLV_CODEC_NONE)
		return put_made(x, chunk, err);
	for (size_t i = 0; i < x->entries.n; i++)
		SLV_TRY(slv_plan_copy(
		    x->plan, x->entries.at[i].at, x->entries.at[i].len, err));
	return SLV_OK;
}

static enum slv_status
put_new(struct mcap_build *x, size_t chunk, struct slv_err *err)
{
	struct mcap_chunk *c = &x->mcap->chunks[chunk];
	bool whole = c->stored && mcap_chunk_is_whole(x->mcap, c);
	struct mcap_claim claim;
	struct mcap_bytes b;

	SLV_TRY(bytes_of(x->scan, c, &b, err));
	SLV_TRY(load_entries(x, c, &b, err));
	SLV_TRY(drop_useless(x, c, &b, err));
	SLV_TRY(survey(x, c, &b, err));
	c->out_codec = whole ? c->codec : SLV_CODEC_NONE;
	c->out_stored = whole ? c->data_end - c->data : c->out_size;
	claim = (struct mcap_claim){
		.start = c->out_messages > 0 ? c->out_from : 0,
		.stop = c->out_to,
		.size = c->out_size,
		.stored = c->out_stored,
		.crc = c->out_crc,
	};
	c->out = x->plan->size;
	if (whole && c->stays) {
		SLV_TRY(slv_plan_copy(x->plan, c->off, c->data - c->off, err));
	} else {
		mcap_make_head(&x->buf, &claim, c->out_codec);
		SLV_TRY(mcap_flush(x, err));
	}
	SLV_TRY(put_data(x, chunk, whole, err));
	c->out_len = x->plan->size - c->out;
	c->out_index_len = 0;
	if (mcap_has_indexes(x->mcap))
		return put_index(x, c, err);
	c->n_out_counts = 0;
	return SLV_OK;
}

/* Where the MessageIndexes of a chunk that is copied are. */
static enum slv_status
find_index(struct mcap_build *x, struct mcap_chunk *c, struct slv_err *err)
{
	struct mcap *m = x->mcap;
	uint64_t at = c->index;

	SLV_TRY(slv_grow(&m->out_counts, &m->cap_out_counts,
	    m->n_out_counts + c->n_counts, sizeof(*m->out_counts), err));
	c->out_count = m->n_out_counts;
	c->n_out_counts = c->has_index ? c->n_counts : 0;
	for (size_t i = 0; i < c->n_counts; i++) {
		m->decls[m->counts[c->first_count + i].decl].n_here = i + 1;
		if (c->has_index)
			m->out_counts[m->n_out_counts++] =
			    m->counts[c->first_count + i];
	}
	while (c->has_index && at < c->end) {
		struct mcap_record r;
		size_t decl;

		SLV_TRY(mcap_look_again(x->scan, at, c->end, &r, err));
		decl = mcap_decl_find(m, MCAP_CHANNEL, (uint16_t)r.v[MCAP_ID]);
		/* It may be of a channel without messages in this chunk. */
		if (decl != MCAP_NONE && r.v[MCAP_DATA] > 0
		    && m->decls[decl].n_here > 0)
			m->out_counts[c->out_count + m->decls[decl].n_here - 1]
			    .index = c->out + (at - c->off);
		at += mcap_span(&r);
	}
	for (size_t i = 0; i < c->n_counts; i++)
		m->decls[m->counts[c->first_count + i].decl].n_here = 0;
	return SLV_OK;
}

static enum slv_status
put_copy(struct mcap_build *x, struct mcap_chunk *c, struct slv_err *err)
{
	struct mcap *m = x->mcap;

	c->out = x->plan->size;
	c->out_len = c->data_end - c->off;
	c->out_index_len = c->end - c->data_end;
	c->out_codec = c->codec;
	c->out_size = c->size;
	c->out_stored = c->data_end - c->data;
	c->out_messages = c->messages;
	c->out_from = c->from;
	c->out_to = c->to;
	SLV_TRY(slv_plan_copy(x->plan, c->off, c->end - c->off, err));
	for (size_t i = 0; i < c->n_counts; i++) {
		const struct mcap_count *n = &m->counts[c->first_count + i];

		m->decls[n->decl].written += n->n;
	}
	m->planned += c->messages;
	m->planned_sum += c->sum;
	if (c->messages > 0) {
		m->planned_from = slv_min64(m->planned_from, c->from);
		m->planned_to = slv_max64(m->planned_to, c->to);
	}
	return find_index(x, c, err);
}

enum slv_status
mcap_put_chunk(struct mcap_build *x, size_t chunk, struct slv_err *err)
{
	struct mcap_chunk *c = &x->mcap->chunks[chunk];

	c->out_len = 0;
	if (!mcap_chunk_is_written(x->scan, c))
		return SLV_OK;
	return mcap_chunk_is_copied(x->mcap, c) ? put_copy(x, c, err)
	                                        : put_new(x, chunk, err);
}
