/* rosbag_body.c - what the compressed data of a chunk hold.
 *
 * Whole data are decoded at once and read from end to end.  Of damaged ones
 * there are parts, each with the records that can be believed in it: up to
 * the first contradiction, and without the message before that, whose end
 * nothing vouches for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/rosbag/rosbag_state.h"

/* Nanoseconds that time may go back inside a damaged part; recorders are behind
 * by less than one in ten thousand of that. */
#define BACK    INT64_C(10000000)

#define RECORDS (1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN)

void
rosbag_body_free(struct rosbag_body *body)
{
	slv_decode_free(&body->decode);
	free(body->entries.at);
	free(body->parts);
	*body = (struct rosbag_body){ 0 };
}

/* The record at `at` of n bytes, if it is one that a chunk may hold and all of
 * it is there. */
static bool
take(const uint8_t *p, size_t n, size_t at, struct rosbag_record *r)
{
	return rosbag_record_get(p + at, n - at, r) == ROSBAG_WHOLE
	    && (RECORDS >> r->op & 1) != 0 && rosbag_span(r) <= n - at;
}

static enum slv_status
add_entry(struct rosbag_body *body, uint64_t at, const struct rosbag_record *r,
    struct slv_err *err)
{
	struct rosbag_entries *e = &body->entries;

	SLV_TRY(slv_grow(&e->at, &e->cap, e->n + 1, sizeof(*e->at), err));
	e->at[e->n++] = (struct rosbag_entry){
		.at = at,
		.len = (uint32_t)rosbag_span(r),
		.conn = r->conn,
		.time = r->time,
		.next = ROSBAG_NONE,
		.is_conn = r->op == ROSBAG_CONN,
	};
	body->messages += r->op == ROSBAG_MESSAGE;
	return SLV_OK;
}

static void
drop_last(struct rosbag_body *body)
{
	body->messages -= !body->entries.at[--body->entries.n].is_conn;
}

static int64_t
nanos_of(struct rosbag_time t)
{
	return (int64_t)t.sec * 1000000000 + t.nsec;
}

/* Whether a message's header is one that was there before, or nearly so.  What
 * lz4 makes of wrong bytes is put together from what it decoded earlier, whole
 * headers among it. */
static bool
is_echo(
    const struct rosbag_body *body, size_t first, const struct rosbag_record *r)
{
	const struct rosbag_entry *e = body->entries.at;
	int64_t now = nanos_of(r->time);

	for (size_t i = body->entries.n; i-- > first;) {
		int64_t then = nanos_of(e[i].time);

		if (e[i].is_conn)
			continue;
		if (now + BACK < then || (now == then && r->conn == e[i].conn))
			return true;
		if (then + BACK < now)
			break;
	}
	return false;
}

/* Whether a record that hangs together with those before it begins at `at`. */
static bool
is_followed(const struct rosbag_body *body, size_t first, size_t at, size_t n)
{
	const uint8_t *p = body->decode.out.at;
	struct rosbag_record r;

	return rosbag_record_get(p + at, n - at, &r) == ROSBAG_WHOLE
	    && (r.op == ROSBAG_CONN
	        || (r.op == ROSBAG_MESSAGE && !is_echo(body, first, &r)));
}

/* Read records in [at, n) of what was decoded.
 *
 *   broken  what stands at its end may be wrong: stop where time goes back,
 *           and believe no record that none follows
 *   *end    where the last one that counts ends */
static enum slv_status
read_records(struct rosbag_body *body, size_t at, size_t n, bool broken,
    size_t *end, struct slv_err *err)
{
	const uint8_t *p = body->decode.out.at;
	size_t first = body->entries.n;
	struct rosbag_record r;

	while (at < n && take(p, n, at, &r)) {
		if (broken && r.op == ROSBAG_MESSAGE
		    && is_echo(body, first, &r))
			break;
		SLV_TRY(add_entry(body, at, &r, err));
		at += rosbag_span(&r);
	}
	if (broken && body->entries.n > first
	    && !is_followed(body, first, at, n)) {
		drop_last(body);
		at = body->entries.at[body->entries.n].at;
	}
	*end = at;
	return SLV_OK;
}

/* The records of one piece.  Where the input of what could not be used begins
 * is not known exactly; it is told in proportion. */
static enum slv_status
add_part(struct rosbag_body *body, const struct slv_piece *piece, bool broken,
    struct slv_err *err)
{
	const uint8_t *p = body->decode.out.at;
	size_t n = piece->out + piece->len, from = piece->out, end;
	bool is_first = piece->at_known && piece->at == 0;
	uint64_t used, left;
	struct rosbag_part part = {
		.in = body->off + (is_first ? 0 : piece->in),
		.in_end = body->off + piece->in_end,
		.from = body->entries.n,
		.sure = piece->sure,
	};

	if (!is_first)
		from = rosbag_record_find(p, n, from, n, RECORDS);
	/* All that there must be came out, in whole blocks. */
	if (is_first && piece->firm == piece->len && piece->len == body->expect)
		broken = false;
	SLV_TRY(read_records(body, from, n, broken, &end, err));
	part.upto = body->entries.n;
	part.torn = end < n;
	used = part.in_end - part.in;
	if (part.torn && piece->len > 0) {
		left = used * (n - end) / piece->len;
		part.in_end -= slv_min64(slv_max64(left, 1), used - 1);
	}
	if (part.upto == part.from)
		return SLV_OK;
	SLV_TRY(slv_grow(&body->parts, &body->cap_parts, body->n_parts + 1,
	    sizeof(*body->parts), err));
	body->parts[body->n_parts++] = part;
	return SLV_OK;
}

/* Read all that was decoded. */
static enum slv_status
read_parts(struct rosbag_body *body, bool unverified, struct slv_err *err)
{
	const struct slv_decode *d = &body->decode;
	bool broken = d->how != SLV_DECODED_WHOLE && d->how != SLV_DECODED_CUT;
	size_t end;

	body->unverified = 0;
	if (d->how == SLV_DECODED_WHOLE) {
		SLV_TRY(read_records(body, 0, d->out.len, false, &end, err));
		body->whole = end == d->out.len && d->out.len > 0;
		if (body->whole)
			return SLV_OK;
		body->entries.n = 0;
		body->messages = 0;
	}
	for (size_t i = 0; i < d->n_pieces; i++) {
		const struct slv_piece *piece = &d->pieces[i];
		uint64_t messages = body->messages;
		size_t n = body->n_parts, entries = body->entries.n;

		SLV_TRY(add_part(body, piece, broken && piece->sure, err));
		if (piece->sure || unverified)
			continue;
		body->unverified += body->messages - messages;
		body->messages = messages;
		body->n_parts = n;
		body->entries.n = entries;
	}
	return SLV_OK;
}

/* Decode the stream here and now. */
static enum slv_status
decode_now(struct slv_scan *s, const struct rosbag_stream *at, uint32_t size,
    struct slv_decode *out, struct slv_err *err)
{
	size_t n = (size_t)(at->end - at->off);
	uint8_t *in = slv_realloc(NULL, n + 1);
	enum slv_status st;

	if (in == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_source_read(s->source, at->off, in, n, err);
	if (st == SLV_OK)
		st = slv_decode(
		    at->codec, in, n, size, rosbag_chunk_max(s), out, err);
	free(in);
	return st;
}

/* Decode the stream, of which `size` bytes are expected, and read it. */
static enum slv_status
decode(struct slv_scan *s, struct rosbag_body *body,
    const struct rosbag_stream *at, uint32_t size, struct slv_err *err)
{
	bool unverified = (s->opt.keep & SLV_KEEP_UNVERIFIED) != 0, had;

	body->off = at->off;
	body->codec = at->codec;
	body->expect = size;
	body->limit = at->end;
	SLV_TRY(rosbag_ahead_get(s, at, &body->decode, &had, err));
	SLV_TRY(rosbag_ahead_go(s, at->end, err));
	if (!had)
		SLV_TRY(decode_now(s, at, size, &body->decode, err));
	if (body->decode.how == SLV_DECODED_OVER)
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: the compressed data at %llu hold more than %zu bytes, "
		    "which is the limit for a chunk (--max-chunk)",
		    s->source->name, (unsigned long long)at->off,
		    rosbag_chunk_max(s));
	return read_parts(body, unverified, err);
}

/* How far a stream reaches at most, when its length cannot be believed: the
 * next record that cannot stand in a chunk. */
static enum slv_status
outer_end(struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, off + ROSBAG_STREAM_MAX);

	return rosbag_find(s, off, to,
	    1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK | 1u << ROSBAG_INFO, end,
	    err);
}

/* Whether a record begins at off, so that what is in front of it may be as
 * long as it says. */
static enum slv_status
is_boundary(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;
	enum rosbag_read read = ROSBAG_BAD;

	if (off <= s->logical_end)
		SLV_TRY(rosbag_look(s, off, &r, &read, err));
	*yes = read == ROSBAG_WHOLE
	    || (off == s->logical_end && off == s->source->size);
	return SLV_OK;
}

/* Whether one of those that were looked at last is it; off > 0. */
static bool
is_at_hand(struct rosbag *b, uint64_t off, struct rosbag_body **out)
{
	*out = b->broken.off == off ? &b->broken : &b->body;
	return (*out)->off == off;
}

enum slv_status
rosbag_body_again(struct slv_scan *s, uint64_t off, uint64_t limit,
    uint32_t size, enum slv_codec_kind codec, struct rosbag_body **out,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_of(s);

	if (is_at_hand(b, off, out))
		return SLV_OK;
	rosbag_body_free(&b->body);
	SLV_TRY(decode(s, &b->body,
	    &(struct rosbag_stream){ off, limit, codec }, size, err));
	if (b->body.whole)
		return SLV_OK;
	rosbag_body_free(&b->broken);
	b->broken = b->body;
	b->body = (struct rosbag_body){ 0 };
	*out = &b->broken;
	return SLV_OK;
}

enum slv_status
rosbag_body_at(struct slv_scan *s, uint64_t off,
    const struct rosbag_claim *claim, enum slv_codec_kind codec,
    struct rosbag_body **out, struct slv_err *err)
{
	uint64_t end = off + claim->len;
	bool yes;

	if (is_at_hand(rosbag_of(s), off, out))
		return SLV_OK;
	SLV_TRY(is_boundary(s, end, &yes, err));
	if (claim->len == 0 || claim->len > ROSBAG_STREAM_MAX || !yes)
		SLV_TRY(outer_end(s, off, &end, err));
	return rosbag_body_again(s, off, end, claim->size, codec, out, err);
}

const struct rosbag_part *
rosbag_part_at(const struct rosbag *b, uint64_t off)
{
	for (size_t i = 0; i < b->broken.n_parts; i++) {
		if (b->broken.parts[i].in == off)
			return &b->broken.parts[i];
	}
	return NULL;
}
