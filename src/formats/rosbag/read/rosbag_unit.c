/* rosbag_unit.c - what is at an offset, and is it whole? */
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define AHEAD  64 /* connections in a row that are looked past */
#define HEADER 46 /* bytes; what is shorter holds no message */
#define NEAR   64 /* bytes that are searched first */

const char *const rosbag_kinds[ROSBAG_TAGS] = {
	[ROSBAG_TAG_RECORD] = "record",
	[ROSBAG_MSG_DEF] = "definition",
	[ROSBAG_MESSAGE] = "message",
	[ROSBAG_BAG_HEADER] = "header",
	[ROSBAG_INDEX] = "index",
	[ROSBAG_CHUNK] = "chunk",
	[ROSBAG_INFO] = "chunk-info",
	[ROSBAG_CONN] = "connection",
	[ROSBAG_TAG_MAGIC] = "magic",
	[ROSBAG_TAG_PACKED] = "chunk",
	[ROSBAG_TAG_REST] = "chunk",
	[ROSBAG_TAG_PROVEN] = "chunk",
	[ROSBAG_TAG_CIPHER] = "chunk",
	[ROSBAG_TAG_SPOILT] = "connection",
	[ROSBAG_TAG_SECRET] = "connection",
};

/* The first bytes of a bag: ours at 0, and another one's elsewhere. */
static enum slv_status
magic_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	uint64_t there = s->logical_end - off;
	struct rosbag_record r;
	const uint8_t *p;

	if (off == 0 && rosbag_of(s)->version[0] == 1) {
		u->verdict = SLV_UNIT_GOOD;
		u->tag = ROSBAG_TAG_MAGIC;
		u->part = SLV_PART_PACK;
		u->len = s->source->size;
		u->sure = u->ends = true;
		return SLV_OK;
	}
	if (there < ROSBAG_MAGIC_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, ROSBAG_MAGIC_SIZE, &p, err));
	if (memcmp(p, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE) != 0)
		return SLV_OK;
	if (off != s->base) {
		SLV_TRY(rosbag_look(s, off + ROSBAG_MAGIC_SIZE, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_BAG_HEADER)
			return SLV_OK;
	}
	u->verdict = SLV_UNIT_GOOD;
	u->tag = ROSBAG_TAG_MAGIC;
	u->part = SLV_PART_FRAME;
	u->len = ROSBAG_MAGIC_SIZE;
	if (off != s->base) {
		u->fate = SLV_FOREIGN;
		/* It may end in zeros itself: the bytes of a count. */
		u->len = s->source->size - off;
		u->whole_log = true;
	}
	return SLV_OK;
}

/* Whether the connection at off is one of the index at the end: others are in
 * a chunk, before messages. */
static enum slv_status
is_tail(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_record r = { .op = ROSBAG_CONN };

	*yes = b->in_tail || off == b->head.index_pos;
	if (*yes)
		return SLV_OK;
	if (b->open && !b->in_index
	    && b->chunks[b->n_chunks - 1].codec == SLV_CODEC_NONE
	    && (b->claim.len == 0
	        || off < b->chunks[b->n_chunks - 1].data + b->claim.len))
		return SLV_OK;
	for (int i = 0; i < AHEAD; i++) {
		SLV_TRY(rosbag_look(s, end, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_CONN)
			break;
		end += rosbag_span(&r);
		if (end >= s->logical_end)
			break;
	}
	*yes = r.read != ROSBAG_WHOLE || r.op != ROSBAG_MESSAGE;
	return SLV_OK;
}

/* An index that nothing follows, and a record begins in it, is not all
 * there. */
static enum slv_status
index_torn(const struct slv_scan *s, uint64_t off, uint64_t data,
    struct slv_unit *u, struct slv_err *err)
{
	const unsigned outer = 1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK
	    | 1u << ROSBAG_INFO | 1u << ROSBAG_CONN;
	uint64_t end = off + u->len, at;
	bool yes;

	if (end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(rosbag_goes_on(s, end, &yes, err));
	if (yes)
		return SLV_OK;
	SLV_TRY(rosbag_find(s, data, end, outer, &at, err));
	if (at < end)
		u->len = 0;
	return SLV_OK;
}

/* How long an index is: some writers state a wrong length, and readers go by
 * the count. */
static enum slv_status
index_unit(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, struct slv_unit *u, struct slv_err *err)
{
	uint64_t by_count =
	    rosbag_head(r) + (uint64_t)r->count * ROSBAG_ENTRY_SIZE;
	bool yes = false;

	if (by_count == u->len)
		return index_torn(s, off, off + rosbag_head(r), u, err);
	if (slv_range_in(off, u->len, s->logical_end))
		SLV_TRY(rosbag_goes_on(s, off + u->len, &yes, err));
	if (!yes)
		u->len = by_count;
	return SLV_OK;
}

/* Whether one more CHUNK_INFO is as many as the bag header counts, and no other
 * one follows it. */
static enum slv_status
is_last(const struct slv_scan *s, uint64_t end, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_record r = { .op = 0 };

	*yes = b->tail != 0 && b->tail == b->head.index_pos
	    && b->n_infos + 1 == b->head.n_chunks;
	if (!*yes || end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(rosbag_look(s, end, &r, err));
	*yes = r.read != ROSBAG_WHOLE || r.op != ROSBAG_INFO;
	return SLV_OK;
}

/* A declaration, which must be one that readers can take.  The length of one
 * that is not may be what was hit: it ends where a record begins in it. */
static enum slv_status
conn_unit(const struct slv_scan *s, uint64_t off, const struct rosbag_record *r,
    struct slv_unit *u, struct slv_err *err)
{
	const unsigned any = ((1u << ROSBAG_OPS) - 1) & ~(1u << ROSBAG_MSG_DEF);
	uint64_t end = off + u->len, at;
	const uint8_t *p;

	if (u->verdict != SLV_UNIT_GOOD)
		return SLV_OK;
	if (u->len > SLV_WINDOW_MAX) {
		u->verdict = SLV_UNIT_BAD;
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(s->window, off, (size_t)u->len, &p, err));
	if (rosbag_conn_sane(p, r))
		return SLV_OK;
	SLV_TRY(rosbag_find(s, off + rosbag_head(r), end, any, &at, err));
	u->len = at - off;
	u->tag = ROSBAG_TAG_SPOILT;
	u->fate = SLV_REBUILT;
	u->problem = ROSBAG_P_CONN_SPOILT;
	u->got = r->conn;
	return SLV_OK;
}

/* Whether what looks like a record of a chunk is stored data of a compressed
 * one: literals of LZ4 look so. */
static enum slv_status
is_packed(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t end = off;

	if (b->open && !b->in_index
	    && b->chunks[b->n_chunks - 1].codec != SLV_CODEC_NONE)
		SLV_TRY(rosbag_packed_upto(s, off, &end, err));
	*yes = off < end;
	return SLV_OK;
}

/* The bag header, which spaces fill up to where the first chunk begins.  Where
 * some are missing, and no chunk is there, it is in what the header calls its
 * own. */
static enum slv_status
header_unit(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, struct slv_unit *u, struct slv_err *err)
{
	const unsigned outer = 1u << ROSBAG_CHUNK | 1u << ROSBAG_INDEX;
	const unsigned inner = 1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN;
	bool plain = rosbag_of(s)->usual == SLV_CODEC_NONE;
	uint64_t to = slv_min64(off + u->len, s->logical_end), at;
	enum slv_codec_kind codec;
	struct rosbag_record next;
	bool padded;

	SLV_TRY(rosbag_is_padded(s, off, r, &padded, err));
	if (padded || r->encrypted)
		return SLV_OK;
	SLV_TRY(rosbag_look(s, off + u->len, &next, err));
	if (next.read == ROSBAG_WHOLE && next.op == ROSBAG_CHUNK)
		return SLV_OK;
	SLV_TRY(rosbag_find(s, off + rosbag_head(r), to,
	    plain ? outer | inner : outer, &at, err));
	SLV_TRY(
	    rosbag_find_stream(s, off + rosbag_head(r), at, &at, &codec, err));
	if (at < to)
		u->len = at - off;
	return SLV_OK;
}

/* A record whose header is whole. */
static enum slv_status
record_unit(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, struct slv_unit *u, struct slv_err *err)
{
	bool tail = true, packed = false;

	u->tag = r->op;
	u->len = rosbag_span(r);
	u->part = SLV_PART_INDEX;
	if (r->op == ROSBAG_BAG_HEADER
	    && (off != s->base + ROSBAG_MAGIC_SIZE
	        || u->len != ROSBAG_DATA_START - ROSBAG_MAGIC_SIZE))
		return rosbag_lost_unit(s, off, u, err);
	if (r->op == ROSBAG_BAG_HEADER)
		SLV_TRY(header_unit(s, off, r, u, err));
	if (r->op == ROSBAG_CHUNK)
		u->len = rosbag_head(r);
	if (r->op == ROSBAG_INDEX)
		SLV_TRY(index_unit(s, off, r, u, err));
	if (u->len == 0)
		return rosbag_lost_unit(s, off, u, err);
	if (r->op == ROSBAG_CONN)
		SLV_TRY(is_tail(s, off, off + u->len, &tail, err));
	if (r->op == ROSBAG_INFO)
		SLV_TRY(is_last(s, off + u->len, &u->ends, err));
	if (r->op == ROSBAG_MESSAGE || !tail)
		SLV_TRY(is_packed(s, off, &packed, err));
	if (packed) {
		u->len = 0;
		return rosbag_lost_unit(s, off, u, err);
	}
	if (r->op == ROSBAG_MESSAGE) {
		tail = false;
		u->has_channel = true;
		u->channel = r->conn;
		u->time = rosbag_moment(r->time);
	}
	if (!tail)
		u->part = r->op == ROSBAG_CONN ? SLV_PART_PACK : SLV_PART_DATA;
	u->verdict = slv_range_in(off, u->len, s->source->size)
	    ? SLV_UNIT_GOOD
	    : SLV_UNIT_SHORT;
	if (u->verdict == SLV_UNIT_SHORT)
		u->problem = u->part == SLV_PART_INDEX ? ROSBAG_P_CUT_INDEX
		                                       : ROSBAG_P_CUT;
	return r->op == ROSBAG_CONN ? conn_unit(s, off, r, u, err) : SLV_OK;
}

/* The file ends in the header of a record, which was a message's only where
 * one may be. */
static void
short_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u)
{
	const struct rosbag *b = rosbag_of(s);
	const struct rosbag_chunk *c =
	    b->n_chunks > 0 ? &b->chunks[b->n_chunks - 1] : NULL;
	bool in_data = b->open && !b->in_index
	    && (c->codec == SLV_CODEC_NONE
	            ? b->claim.len == 0 || off != c->data + b->claim.len
	            : !c->stored);

	u->verdict = SLV_UNIT_SHORT;
	u->tag = in_data ? ROSBAG_MESSAGE : ROSBAG_INDEX;
	u->part = in_data ? SLV_PART_DATA : SLV_PART_INDEX;
	u->len = slv_max64(s->logical_end, off + 1) - off;
	u->problem = in_data ? ROSBAG_P_CUT : ROSBAG_P_CUT_INDEX;
}

/* A compressed stream without a header in front. */
static enum slv_status
loose_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	struct rosbag_packed k = { .data = off };
	uint64_t at;

	SLV_TRY(rosbag_find_stream(s, off, off + 1, &at, &k.codec, err));
	*yes = at == off;
	return *yes ? rosbag_packed_unit(s, off, &k, u, err) : SLV_OK;
}

/* What is no magic and no part of a stream. */
static enum slv_status
plain_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	struct rosbag_record r;
	bool loose = false;

	SLV_TRY(rosbag_look(s, off, &r, err));
	if (rosbag_of(s)->head.encrypted
	    && (r.read != ROSBAG_WHOLE
	        || (r.op != ROSBAG_INDEX && r.op != ROSBAG_INFO)))
		return rosbag_cipher_unit(
		    s, off, r.read == ROSBAG_WHOLE ? &r : NULL, u, err);
	if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK
	    && r.codec != SLV_CODEC_NONE) {
		struct rosbag_packed k = {
			.data = off + rosbag_head(&r),
			.claim = { r.data, r.size },
			.codec = r.codec,
			.headed = true,
		};

		return rosbag_packed_unit(s, off, &k, u, err);
	}
	if (r.read == ROSBAG_WHOLE)
		return record_unit(s, off, &r, u, err);
	SLV_TRY(loose_unit(s, off, u, &loose, err));
	if (loose)
		return SLV_OK;
	if (r.read == ROSBAG_SHORT
	    || (s->logical_end - off < HEADER && asking == SLV_ASK_NEXT))
		short_unit(s, off, u);
	else if (asking == SLV_ASK_NEXT)
		return rosbag_lost_unit(s, off, u, err);
	return SLV_OK;
}

enum slv_status
rosbag_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct rosbag_part *part = rosbag_part_at(rosbag_of(s), off);
	bool yes = false;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.fate = SLV_KEPT,
		.part = SLV_PART_DATA,
		.tag = ROSBAG_TAG_RECORD,
		.problem = ROSBAG_PROBLEMS,
	};
	if (s->proving != NULL)
		SLV_TRY(rosbag_proven_unit(s, off, u, &yes, err));
	if (yes)
		return SLV_OK;
	if (part != NULL && part->in > rosbag_of(s)->torn->off) {
		u->verdict = SLV_UNIT_GOOD;
		u->tag = ROSBAG_TAG_REST;
		u->fate = SLV_REBUILT;
		u->part = SLV_PART_PACK;
		u->len = part->in_end - part->in;
		u->sure = true;
		if (rosbag_part_tells(rosbag_of(s)->torn, part)) {
			u->problem = rosbag_part_problem(rosbag_of(s)->torn);
			u->got = part->messages;
		}
		return SLV_OK;
	}
	SLV_TRY(magic_unit(s, off, u, err));
	if (u->verdict == SLV_UNIT_GOOD)
		return SLV_OK;
	SLV_TRY(plain_unit(s, off, asking, u, err));
	if (u->verdict == SLV_UNIT_BAD && u->problem == ROSBAG_PROBLEMS)
		u->problem = ROSBAG_P_BAD_RECORD;
	return SLV_OK;
}

/* What the zeros that end the file mean for the message that ends in some of
 * them.  A file system loses whole sectors: fewer zeros in the sector of what was
 * written are mostly of the message.  They are certain where only they state that
 * it has no payload, and no other of its connection has one. */
static enum slv_vouch
judge_zeros(const struct slv_scan *s, uint64_t off, const struct slv_unit *u)
{
	enum slv_vouch vouch = slv_scan_zeros(s, off, off + u->len);

	if (vouch != SLV_UNSURE)
		return vouch;
	if (u->tag != ROSBAG_MESSAGE)
		return SLV_SUSPECT;
	if (s->logical_end >= off + ROSBAG_MESSAGE_HEAD)
		return SLV_UNSURE;
	/* Its length is in doubt. */
	return u->len == ROSBAG_MESSAGE_HEAD
	        && s->logical_end >= off + ROSBAG_MESSAGE_FIELDS
	        && rosbag_conn_is_empty(rosbag_of(s), u->channel)
	    ? SLV_VOUCHED
	    : SLV_SUSPECT;
}

enum slv_status
rosbag_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	struct slv_unit next = { .verdict = SLV_UNIT_BAD };
	uint64_t end = off + u->len;
	bool yes;

	*out = SLV_VOUCHED;
	/* What was never written would be zeros inside it. */
	if (end == s->logical_end)
		return SLV_OK;
	if (u->sure || u->fate != SLV_KEPT || u->tag == ROSBAG_TAG_MAGIC
	    || u->tag == ROSBAG_TAG_PACKED || u->tag == ROSBAG_TAG_PROVEN
	    || u->part == SLV_PART_INDEX)
		return SLV_OK;
	if (end > s->logical_end) {
		*out = judge_zeros(s, off, u);
		if (*out == SLV_UNSURE) {
			u->problem = ROSBAG_P_END_UNSURE;
			return SLV_OK;
		}
	} else {
		SLV_TRY(rosbag_ends(s, off, end, &yes, err));
		/* A bag that was never closed may have another one after it. */
		if (!yes)
			SLV_TRY(magic_unit(s, end, &next, err));
		yes |= next.verdict == SLV_UNIT_GOOD;
		*out = yes ? SLV_VOUCHED : SLV_SUSPECT;
	}
	if (*out != SLV_VOUCHED)
		u->problem = u->tag == ROSBAG_TAG_CIPHER ? ROSBAG_P_CIPHER_INDEX
		                                         : ROSBAG_P_SUSPECT;
	return SLV_OK;
}

/* The first mark of any kind in [from, to); to: none.
 *
 *   packed  where the compressed chunk around `from` ends
 *   outer   records that may be in it; others only after it */
static enum slv_status
find_mark(const struct slv_scan *s, uint64_t from, uint64_t to, uint64_t packed,
    unsigned outer, uint64_t *out, struct slv_err *err)
{
	const unsigned inner = 1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN;
	enum slv_codec_kind codec;

	packed = slv_min64(slv_max64(from, packed), to);
	SLV_TRY(rosbag_find(s, from, packed, outer, out, err));
	if (*out == packed)
		SLV_TRY(rosbag_find(s, packed, to, outer | inner, out, err));
	SLV_TRY(rosbag_find_stream(s, from, *out, out, &codec, err));
	return rosbag_find_magic(s, from, *out, out, err);
}

enum slv_status
rosbag_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	const unsigned outer = 1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK
	    | 1u << ROSBAG_INFO
	    | (from <= ROSBAG_MAGIC_SIZE ? 1u << ROSBAG_BAG_HEADER : 0);
	bool encrypted = rosbag_of(s)->head.encrypted;
	uint64_t packed = 0, upto;

	if (!encrypted) {
		/* Of a bag that was read from end to end the marks may be
		 * wanted, too. */
		SLV_TRY(rosbag_packed_upto(
		    s, slv_min64(from, s->catalog.end), &packed, err));
		to = rosbag_part_next(rosbag_of(s), from, to);
	}
	/* In stretches: there may be many of a kind, and none of another. */
	for (uint64_t step = NEAR; from < to; from = upto, step *= 2) {
		upto = from + slv_min64(to - from, step);
		if (encrypted) {
			SLV_TRY(rosbag_cipher_mark(s, from, upto, out, err));
			SLV_TRY(rosbag_find_magic(s, from, *out, out, err));
		} else {
			SLV_TRY(
			    find_mark(s, from, upto, packed, outer, out, err));
		}
		if (*out < upto)
			return SLV_OK;
	}
	*out = to;
	return SLV_OK;
}
