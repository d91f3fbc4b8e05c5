/* mcap_unit.c - what is at an offset, and is it whole? */
#include <string.h>

#include "formats/mcap/read/mcap_unit.h"

#define NEAR 64 /* bytes that are searched first */

const char *const mcap_kinds[MCAP_TAGS] = {
	[MCAP_TAG_NONE] = "record",
	[MCAP_HEADER] = "header",
	[MCAP_FOOTER] = "footer",
	[MCAP_SCHEMA] = "schema",
	[MCAP_CHANNEL] = "channel",
	[MCAP_MESSAGE] = "message",
	[MCAP_CHUNK] = "chunk",
	[MCAP_MESSAGE_INDEX] = "message-index",
	[MCAP_CHUNK_INDEX] = "chunk-index",
	[MCAP_ATTACHMENT] = "attachment",
	[MCAP_ATTACHMENT_INDEX] = "attachment-index",
	[MCAP_STATISTICS] = "statistics",
	[MCAP_METADATA] = "metadata",
	[MCAP_METADATA_INDEX] = "metadata-index",
	[MCAP_SUMMARY_OFFSET] = "summary-offset",
	[MCAP_DATA_END_OP] = "data-end",
	[MCAP_TAG_MAGIC] = "magic",
	[MCAP_TAG_PACKED] = "chunk",
	[MCAP_TAG_OTHER] = "record",
	[MCAP_TAG_STRANGE] = "chunk",
};

/* Which part of a file a record outside the summary belongs to. */
static enum slv_part
part_of(const struct mcap *m, uint64_t off, unsigned op)
{
	switch (op) {
	case MCAP_MESSAGE: return SLV_PART_DATA;
	case MCAP_SCHEMA:
	case MCAP_CHANNEL:
		return mcap_in_summary(m, off) ? SLV_PART_INDEX : SLV_PART_PACK;
	case MCAP_HEADER:
	case MCAP_ATTACHMENT:
	case MCAP_METADATA: return SLV_PART_PACK;
	default: return op < MCAP_OPS ? SLV_PART_INDEX : SLV_PART_PACK;
	}
}

/* Bytes of the index of the open chunk that are still to come at off; 0: none, or
 * it is unknown whether it has one. */
static uint64_t
index_due(const struct mcap *m, uint64_t off)
{
	const struct mcap_chunk *c =
	    m->n_chunks > 0 ? &m->chunks[m->n_chunks - 1] : NULL;
	uint64_t due;

	if (c == NULL || !m->open || !m->indexes || m->gaps || c->messages == 0
	    || !c->headed || off < c->data_end || mcap_is_inside(m, off))
		return 0;
	due = m->n_here * (MCAP_HEAD + 6) + c->messages * MCAP_ENTRY;
	return due > off - c->data_end ? due - (off - c->data_end) : 0;
}

/* The bytes at off are no unit: set whether recorded data may be lost there. */
static void
lost_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u)
{
	const struct mcap *m = mcap_of(s);

	u->verdict = SLV_UNIT_BAD;
	u->tag = MCAP_TAG_NONE;
	u->len = 0;
	u->part = SLV_PART_DATA;
	u->problem = MCAP_P_BAD_RECORD;
	/* Nothing was recorded where an index is due, but what is there instead may
	 * be from anywhere: the part stays DATA. */
	if (mcap_in_summary(m, off)) {
		u->fate = SLV_REBUILT;
		u->problem = MCAP_P_BAD_SUMMARY;
		return;
	}
	u->len = index_due(m, off);
	if (u->len == 0)
		return;
	u->fate = SLV_REBUILT;
	u->problem = MCAP_P_BAD_INDEX;
}

/* Whether a record of a chunk may be here: where chunks are compressed, what they
 * store looks like records, too. */
static bool
may_be_inner(const struct slv_scan *s, uint64_t off, enum slv_asking asking)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk *c = mcap_chunk_of(m, off);

	if (mcap_is_inside(m, off))
		return true;
	if (c != NULL
	    && (mcap_is_open(m, c)
	            ? off < c->limit
	            : c->codec != SLV_CODEC_NONE && off < c->data_end))
		return false;
	return m->usual == SLV_CODEC_NONE || asking == SLV_ASK_NEXT;
}

/* Whether a record may follow an apparent end of the data.  In a file without chunks the
 * time of a message shows that the data go on; in a file with chunks only a chunk does. */
static bool
continues_data(const struct mcap *m, const struct mcap_record *r)
{
	return r->op != MCAP_MESSAGE || m->summary.data_end == 0
	    || (!m->chunked && mcap_continues(m, r->v[MCAP_LOG_TIME]));
}

/* Whether the record [off, end) extends past the end of its chunk, where another record
 * begins. */
static enum slv_status
overruns(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk *c = mcap_chunk_of(m, off);
	uint64_t limit;

	*yes = false;
	if (!mcap_is_inside(m, off) || c->claim.stored == MCAP_OPEN)
		return SLV_OK;
	limit = c->data + c->claim.stored;
	if (end <= limit || limit >= s->logical_end)
		return SLV_OK;
	return mcap_goes_on(s, limit, yes, err);
}

/* Whether another file begins in [off, end): its magic alone may be part of a text
 * or a number. */
static enum slv_status
begins_within(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	struct mcap_record r;

	*yes = false;
	for (uint64_t at = off; at < end && !*yes; at++) {
		SLV_TRY(mcap_find_magic(s, at, end, &at, err));
		if (at == end)
			break;
		SLV_TRY(
		    mcap_look_strict(s, at + MCAP_MAGIC_SIZE, &r, yes, err));
		*yes = *yes && r.op == MCAP_HEADER;
	}
	return SLV_OK;
}

/* *yes: no record of this kind can be here. */
static enum slv_status
is_out_of_place(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    const struct mcap_record *r, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_bytes b = mcap_bytes_of(s);
	unsigned bit = r->op < MCAP_OPS ? MCAP_BIT(r->op) : 0;
	uint64_t end = slv_min64(off + mcap_span(r), s->logical_end);

	*yes = false;
	/* A download that broke off in an index, and began again. */
	if (mcap_in_summary(m, off)
	    || bit & (MCAP_DERIVED | MCAP_BIT(MCAP_MESSAGE_INDEX))) {
		SLV_TRY(begins_within(s, off, end, yes, err));
		if (*yes)
			return SLV_OK;
	}
	/* No version defines the opcodes up to MCAP_PRIVATE.  Zeros are no
	 * evidence of an application's record, and none is in an index. */
	if (r->op >= MCAP_OPS) {
		*yes = r->op < MCAP_PRIVATE || r->len == 0
		    || index_due(m, off) > 0;
		if (!*yes)
			SLV_TRY(mcap_is_misread(s, off, end, yes, err));
	} else if (bit & MCAP_INNER)
		*yes = mcap_in_summary(m, off) ? !continues_data(m, r)
		                               : !may_be_inner(s, off, asking);
	else if (r->op == MCAP_HEADER)
		*yes = off != s->base + MCAP_MAGIC_SIZE;
	/* A false start of the summary would make all later data part of it. */
	if (bit & (MCAP_DERIVED | MCAP_BIT(MCAP_DATA_END_OP))
	    && !mcap_in_summary(m, off)) {
		SLV_TRY(mcap_record_strict(&b, off, r, yes, err));
		*yes = !*yes;
	}
	return *yes || !(bit & MCAP_INNER)
	    ? SLV_OK
	    : overruns(s, off, off + mcap_span(r), yes, err);
}

/* A record whose fields are within its length. */
static enum slv_status
record_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    const struct mcap_record *r, struct slv_unit *u, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	bool bad;

	SLV_TRY(is_out_of_place(s, off, asking, r, &bad, err));
	if (bad) {
		lost_unit(s, off, u);
		return SLV_OK;
	}
	u->tag = r->op < MCAP_OPS ? r->op : MCAP_TAG_OTHER;
	u->len = mcap_span(r);
	u->part = part_of(m, off, r->op);
	u->verdict = SLV_UNIT_GOOD;
	if (r->op == MCAP_HEADER || r->op == MCAP_SCHEMA
	    || r->op == MCAP_CHANNEL || r->op == MCAP_ATTACHMENT
	    || r->op == MCAP_METADATA)
		return mcap_spoilt_unit(s, off, r, u, err);
	if (r->op == MCAP_MESSAGE) {
		u->has_channel = true;
		u->channel = (uint32_t)r->v[MCAP_ID];
		u->time = mcap_moment(r->v[MCAP_LOG_TIME]);
	}
	return SLV_OK;
}

/* The file ends in the record at off. */
static void
short_unit(const struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    struct slv_unit *u)
{
	const struct mcap *m = mcap_of(s);
	unsigned op = r->op < MCAP_OPS ? r->op : MCAP_METADATA;

	u->verdict = SLV_UNIT_SHORT;
	u->tag = op;
	u->part =
	    mcap_in_summary(m, off) ? SLV_PART_INDEX : part_of(m, off, op);
	if (index_due(m, off) > 0 && op != MCAP_CHUNK)
		u->part = SLV_PART_INDEX;
	if (op == MCAP_CHUNK)
		u->part = SLV_PART_PACK;
	/* The rest of a compressed chunk looks like anything. */
	if (m->open && m->gaps && !m->in_index
	    && m->chunks[m->n_chunks - 1].codec != SLV_CODEC_NONE)
		u->part = SLV_PART_DATA;
	u->len = slv_max64(s->logical_end, off + 1) - off;
	u->problem = MCAP_P_CUT;
	if (u->part != SLV_PART_INDEX)
		return;
	u->fate = SLV_REBUILT;
	u->part = SLV_PART_DATA;
	u->problem = MCAP_P_CUT_INDEX;
}

/* A chunk, by its head: of one that is not compressed that is the unit. */
static enum slv_status
chunk_unit(const struct slv_scan *s, uint64_t off, const struct mcap_head *h,
    struct slv_unit *u, struct slv_err *err)
{
	if (h->codec != SLV_CODEC_NONE || h->strange)
		return mcap_packed_unit(s, off, h, u, err);
	mcap_head_put(u, h);
	u->verdict = SLV_UNIT_GOOD;
	u->tag = MCAP_CHUNK;
	u->part = SLV_PART_INDEX;
	u->len = h->data - off;
	return SLV_OK;
}

/* A compressed frame without a head before it. */
static enum slv_status
loose_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct mcap_head h = { .data = off, .end = s->logical_end }, own;
	uint64_t at, before;
	bool headed = false;

	*yes = false;
	if (mcap_in_summary(m, off) || mcap_is_inside(m, off))
		return SLV_OK;
	SLV_TRY(mcap_find_frame(s, off, off + 1, &at, &h.codec, err));
	*yes = at == off;
	if (!*yes)
		return SLV_OK;
	h.claim.stored = MCAP_OPEN;
	h.damaged = true;
	/* What the head before it says of its checksum holds here, too. */
	before = MCAP_CHUNK_HEAD + strlen(mcap_codec_name(h.codec));
	if (off >= before)
		SLV_TRY(mcap_head_get(s, off - before, &own, &headed, err));
	if (headed && own.data == off)
		h.claim.crc = own.open ? 0 : own.claim.crc;
	SLV_TRY(mcap_packed_unit(s, off, &h, u, err));
	*yes = u->verdict == SLV_UNIT_GOOD;
	return SLV_OK;
}

/* Whether the record that ends the data is at off, with a damaged opcode: it is so
 * long, and what only a summary holds follows. */
static enum slv_status
is_data_end(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct mcap_record r;
	const uint8_t *p;

	*yes = !mcap_of(s)->in_summary && !mcap_is_inside(mcap_of(s), off)
	    && slv_range_in(off, MCAP_DATA_END, s->logical_end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, MCAP_HEAD, &p, err));
	*yes = slv_get_le64(p + 1) == MCAP_DATA_END - MCAP_HEAD;
	if (*yes)
		SLV_TRY(mcap_look_strict(s, off + MCAP_DATA_END, &r, yes, err));
	*yes = *yes
	    && (MCAP_BIT(r.op)
	           & (MCAP_DERIVED | MCAP_BIT(MCAP_SCHEMA)
	               | MCAP_BIT(MCAP_CHANNEL)))
	        != 0;
	return SLV_OK;
}

enum slv_status
mcap_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct mcap_record r;
	struct mcap_head h;
	enum mcap_read read;
	bool yes = false;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.fate = SLV_KEPT,
		.part = SLV_PART_DATA,
		.tag = MCAP_TAG_NONE,
		.problem = MCAP_PROBLEMS,
	};
	SLV_TRY(mcap_magic_unit(s, off, u, err));
	if (u->verdict == SLV_UNIT_GOOD)
		return SLV_OK;
	SLV_TRY(mcap_look(s, off, &r, &read, err));
	if (read == MCAP_SHORT && r.op >= MCAP_OPS)
		r.op = 0;
	if (r.op == MCAP_CHUNK || r.op >= MCAP_OPS
	    || (asking == SLV_ASK_NEXT && !mcap_is_inside(m, off)
	        && !mcap_in_summary(m, off)
	        && (read != MCAP_WHOLE || (MCAP_DERIVED >> r.op & 1))))
		SLV_TRY(mcap_head_get(s, off, &h, &yes, err));
	if (yes)
		return chunk_unit(s, off, &h, u, err);
	if (read == MCAP_WHOLE && r.op != MCAP_CHUNK)
		return record_unit(s, off, asking, &r, u, err);
	SLV_TRY(loose_unit(s, off, u, &yes, err));
	if (yes)
		return SLV_OK;
	if (read == MCAP_SHORT && asking == SLV_ASK_NEXT && r.op != 0
	    && (r.len < (uint64_t)1 << 40 || r.len == MCAP_OPEN)) {
		short_unit(s, off, &r, u);
		return SLV_OK;
	}
	lost_unit(s, off, u);
	SLV_TRY(is_data_end(s, off, &yes, err));
	if (yes) {
		u->part = SLV_PART_INDEX;
		u->len = MCAP_DATA_END;
		u->problem = MCAP_P_BAD_SUMMARY;
	}
	return SLV_OK;
}

/* No record follows a header.  It is whole all the same if its texts fill it: three
 * lengths agree then, and zeros are no text.  Otherwise it is written again, for
 * nothing that was recorded is in it. */
static enum slv_status
doubt_header(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	struct mcap_record r;
	enum mcap_read read;
	const uint8_t *last;
	bool yes;

	SLV_TRY(mcap_look(s, off, &r, &read, err));
	SLV_TRY(mcap_record_strict(&b, off, &r, &yes, err));
	SLV_TRY(slv_window_view(s->window, off + u->len - 1, 1, &last, err));
	if (yes && *last != 0) {
		*out = SLV_VOUCHED;
		return SLV_OK;
	}
	u->part = SLV_PART_INDEX;
	u->problem = MCAP_P_HEADER_LOST;
	return SLV_OK;
}

enum slv_status
mcap_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t end = off + u->len;
	bool yes;

	*out = SLV_VOUCHED;
	/* What an index says is compared with the data later. */
	if (end == s->logical_end || u->sure || u->fate != SLV_KEPT
	    || u->part == SLV_PART_FRAME || u->part == SLV_PART_INDEX
	    || u->tag == MCAP_TAG_PACKED)
		return SLV_OK;
	if (end > s->logical_end) {
		*out = slv_scan_zeros(s, off, end);
	} else {
		SLV_TRY(mcap_goes_on(s, end, &yes, err));
		*out = yes ? SLV_VOUCHED : SLV_SUSPECT;
	}
	if (*out == SLV_VOUCHED)
		return SLV_OK;
	if (u->tag == MCAP_HEADER)
		return doubt_header(s, off, u, out, err);
	u->problem = *out == SLV_UNSURE ? MCAP_P_END_UNSURE : MCAP_P_SUSPECT;
	return SLV_OK;
}

enum slv_status
mcap_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	unsigned ops = MCAP_OUTER | MCAP_DERIVED;
	enum slv_codec_kind codec;
	bool frames = m->usual != SLV_CODEC_NONE && !mcap_in_summary(m, from);

	if (from <= s->base + MCAP_MAGIC_SIZE)
		ops |= MCAP_BIT(MCAP_HEADER);
	if (mcap_in_summary(m, from) || may_be_inner(s, from, SLV_ASK_SEARCH))
		ops |= MCAP_INNER;
	/* What one search finds bounds the next one, and all of them in stretches: each
	 * place is searched a few times, however many of a kind there are. */
	for (uint64_t upto, step = NEAR; from < to; from = upto, step *= 2) {
		upto = from + slv_min64(to - from, step);
		SLV_TRY(mcap_find(s, from, upto, ops, out, err));
		if (frames)
			SLV_TRY(
			    mcap_find_frame(s, from, *out, out, &codec, err));
		SLV_TRY(mcap_find_magic(s, from, *out, out, err));
		if (*out < upto)
			return SLV_OK;
	}
	*out = to;
	return SLV_OK;
}
