/* rosbag_body.c - what the compressed data of a chunk hold.
 *
 * Whole data are decoded at once and read from end to end.  Of damaged ones
 * there are parts, each with the records that can be believed in it: up to
 * the first contradiction, and without the message before that, whose end
 * nothing vouches for.  What lies after it is a part of its own, which nothing
 * vouches for.
 */
#include "base/list.h"
#include "formats/rosbag/rosbag_state.h"

/* Nanoseconds that time may go back inside a damaged part; recorders are behind
 * by less than one in ten thousand of that. */
#define BACK INT64_C(10000000)

/* Messages that fit into the 64 KiB that a match of LZ4 reaches back. */
#define ECHOES    2048

#define LOOK      1024 /* records between two looks at a signal */
#define FRAME_END 8    /* bytes after the last block of LZ4: no messages */

#define RECORDS   (1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN)

void
rosbag_body_free(struct rosbag_body *body)
{
	slv_decode_free(&body->decode);
	slv_free(body->entries.at);
	slv_free(body->parts);
	slv_free(body->sorted.at);
	rosbag_names_free(&body->names);
	*body = (struct rosbag_body){ 0 };
}

enum slv_status
rosbag_body_add(struct rosbag_body *body, uint64_t at,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct rosbag_entries *e = &body->entries;

	if (rosbag_body_has(body, at, r))
		return SLV_OK;
	SLV_TRY(SLV_ADD_AT(e, err,
	    (struct rosbag_entry){
	        .at = at,
	        .len = (uint32_t)rosbag_span(r),
	        .conn = r->conn,
	        .time = r->time,
	        .next = ROSBAG_NONE,
	        .is_conn = r->op == ROSBAG_CONN,
	    }));
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
 * headers among it: from no more than ECHOES messages before. */
static bool
is_echo(
    const struct rosbag_body *body, size_t first, const struct rosbag_record *r)
{
	const struct rosbag_entry *e = body->entries.at;
	int64_t now = nanos_of(r->time);

	if (body->entries.n - first > ECHOES)
		first = body->entries.n - ECHOES;
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

/* Reading a piece of what was decoded. */
struct reading {
	const struct slv_scan *scan;
	struct rosbag_body *body;
	const struct slv_decoded_piece *piece;
	size_t first; /* entry of it */
	bool broken;  /* what is at its end may be wrong */
	bool named;   /* the index is about it */
};

/* Whether a message hangs together with those before it, or is where the index
 * has it. */
static bool
is_expected(const struct reading *x, size_t at, const struct rosbag_record *r)
{
	enum rosbag_opinion opinion = ROSBAG_NOT_NAMED;

	if (x->named)
		opinion = rosbag_names_opinion(
		    &x->body->names, x->piece->at + (at - x->piece->out), r);
	return opinion == ROSBAG_NAMED
	    || (opinion == ROSBAG_NOT_NAMED && !is_echo(x->body, x->first, r));
}

/* Whether such a record begins at `at`. */
static bool
is_followed(const struct reading *x, size_t at, size_t n)
{
	const uint8_t *p = x->body->decode.out.at;
	struct rosbag_record r;

	return rosbag_record_get(p + at, n - at, &r) == ROSBAG_WHOLE
	    && (r.op == ROSBAG_CONN
	        || (r.op == ROSBAG_MESSAGE && is_expected(x, at, &r)));
}

/* Read records in [at, n) of what was decoded.  Where it is broken, stop at one
 * that cannot be right, and believe none that no other follows.  *end: where
 * the last one that counts ends. */
static enum slv_status
read_records(const struct reading *x, size_t at, size_t n, size_t *end,
    struct slv_err *err)
{
	struct rosbag_body *body = x->body;
	struct rosbag_record r;

	while (
	    at < n && rosbag_inner_get(body->decode.out.at + at, n - at, &r)) {
		if (body->entries.n % LOOK == 0)
			SLV_TRY(slv_scan_go_on(x->scan, err));
		if (x->broken && r.op == ROSBAG_MESSAGE
		    && !is_expected(x, at, &r))
			break;
		SLV_TRY(rosbag_body_add(body, at, &r, err));
		at += rosbag_span(&r);
	}
	if (x->broken && body->entries.n > x->first && !is_followed(x, at, n)) {
		drop_last(body);
		at = body->entries.at[body->entries.n].at;
	}
	*end = at;
	return SLV_OK;
}

/* Whether what follows the last record, at `at`, is none that the end of
 * the input has torn. */
static bool
is_contradiction(const struct reading *x, size_t at, size_t n)
{
	struct rosbag_record r;
	enum rosbag_read read;

	if (at == n)
		return false;
	read = rosbag_record_get(x->body->decode.out.at + at, n - at, &r);
	return read == ROSBAG_BAD
	    || (read == ROSBAG_WHOLE && (RECORDS >> r.op & 1) == 0);
}

/* Read records as above; garbage after the place where a stream was cut
 * decodes to something, too, and shows by what it makes of the records. */
static enum slv_status
read_on(
    struct reading *x, size_t from, size_t n, size_t *end, struct slv_err *err)
{
	SLV_TRY(read_records(x, from, n, end, err));
	if (x->broken || !x->piece->sure || x->piece->proven
	    || !is_contradiction(x, *end, n))
		return SLV_OK;
	while (x->body->entries.n > x->first)
		drop_last(x->body);
	x->broken = true;
	return read_records(x, from, n, end, err);
}

/* Let the entries from x->first on be a part, which was made from the input at
 * `in` and ends at `end` of the piece.  Where the input of what could not be
 * used begins is not known exactly; it is told in proportion. */
static enum slv_status
add_part(
    struct reading *x, uint64_t in, size_t end, bool sure, struct slv_err *err)
{
	struct rosbag_body *body = x->body;
	const struct slv_decoded_piece *piece = x->piece;
	size_t n = piece->out + piece->len;
	uint64_t used = body->off + piece->in_end - in, left;
	struct rosbag_part part = {
		.in = in,
		.in_end = in + used,
		.from = x->first,
		.upto = body->entries.n,
		.torn = end < n,
		.sure = sure,
		.unsure = !sure || x->broken,
	};

	if (body->codec == SLV_CODEC_LZ4 && !part.torn
	    && body->limit - part.in_end <= FRAME_END)
		part.in_end = body->limit;
	if (part.torn && piece->len > 0) {
		left = (piece->in_end - piece->in) * (n - end) / piece->len;
		part.in_end -= slv_min64(slv_max64(left, 1), used - 1);
	}
	if (part.upto == part.from)
		return SLV_OK;
	for (size_t i = part.from; i < part.upto; i++)
		part.messages += !body->entries.at[i].is_conn;
	SLV_TRY(SLV_ADD(body, parts, err, part));
	x->first = part.upto;
	return SLV_OK;
}

/* The last part is nothing that can be relied on. */
static void
leave_out(struct rosbag_body *body, size_t n_parts)
{
	while (body->n_parts > n_parts) {
		const struct rosbag_part *part = &body->parts[--body->n_parts];

		body->unverified += part->messages;
		body->messages -= part->messages;
		body->entries.n = part->from;
	}
}

/* The records of one piece; and those after a contradiction, as the index has
 * them. */
static enum slv_status
read_piece(struct reading *x, bool unverified, struct slv_err *err)
{
	struct rosbag_body *body = x->body;
	const struct slv_decoded_piece *piece = x->piece;
	size_t from = piece->out, n = from + piece->len, parts = body->n_parts;
	bool is_first = piece->at_known && piece->at == 0;
	uint64_t in = body->off + (is_first ? 0 : piece->in);

	x->first = body->entries.n;
	x->named = rosbag_names_hold(body, piece);
	x->broken &= piece->sure && !piece->proven;
	if (!piece->sure)
		SLV_TRY(rosbag_body_sort(x->scan, body, err));
	if (piece->sure || !x->named) {
		if (!is_first)
			from = rosbag_record_find(
			    body->decode.out.at, n, from, n, RECORDS);
		SLV_TRY(read_on(x, from, n, &from, err));
		SLV_TRY(add_part(x, in, from, piece->sure, err));
		if (body->n_parts > parts)
			in = body->parts[parts].in_end;
		if (piece->sure)
			parts = body->n_parts;
	}
	if (x->named && from < n && in < body->off + piece->in_end) {
		SLV_TRY(rosbag_body_sort(x->scan, body, err));
		SLV_TRY(rosbag_names_follow(body, piece, from, &from, err));
		SLV_TRY(add_part(x, in, from, false, err));
	}
	if (!unverified)
		leave_out(body, parts);
	return SLV_OK;
}

/* Read all that was decoded. */
static enum slv_status
read_parts(
    const struct slv_scan *s, struct rosbag_body *body, struct slv_err *err)
{
	const struct slv_decode *d = &body->decode;
	struct reading x = { .scan = s, .body = body };
	bool proven = d->n_pieces > 0 && d->pieces->proven;
	bool unverified = (s->opt.keep & SLV_KEEP_UNVERIFIED) != 0;
	size_t end;

	body->unverified = 0;
	if (d->how == SLV_DECODED_WHOLE) {
		SLV_TRY(read_records(&x, 0, d->out.len, &end, err));
		body->whole = end == d->out.len && d->out.len > 0;
		if (body->whole)
			return proven ? SLV_OK
			              : rosbag_body_compare(s, body, err);
		body->entries.n = 0;
		body->messages = 0;
		/* Only records contradict bytes that have no checksum, and the
		 * index shows the others. */
		body->doubtful = !proven && d->out.len == body->expect;
		unverified |= body->doubtful;
	}
	if (d->how != SLV_DECODED_CUT)
		SLV_TRY(rosbag_names_read(s, body->limit,
		    d->out.len / ROSBAG_MESSAGE_HEAD + 1, &body->names, err));
	for (size_t i = 0; i < d->n_pieces; i++) {
		x.piece = &d->pieces[i];
		x.broken = d->how == SLV_DECODED_WHOLE
		    ? !proven
		    : d->how != SLV_DECODED_CUT;
		SLV_TRY(read_piece(&x, unverified, err));
	}
	return SLV_OK;
}

enum slv_status
rosbag_body_decode(const struct slv_scan *s, struct rosbag_body *body,
    const struct slv_stored *at, struct slv_err *err)
{
	body->off = at->off;
	body->codec = at->codec;
	body->expect = (uint32_t)at->size;
	body->limit = at->end;
	SLV_TRY(slv_streams_decode(s, &rosbag_streams, at, &body->decode, err));
	return read_parts(s, body, err);
}

enum slv_status
rosbag_body_bytes(const struct slv_scan *s, const struct rosbag_body *body,
    uint64_t at, uint64_t n, const uint8_t **out, struct slv_err *err)
{
	const struct slv_buf *have = &body->decode.out;

	if (at > have->len || n > have->len - at)
		return slv_scan_changed(s, err);
	*out = have->at + at;
	return SLV_OK;
}

bool
rosbag_part_tells(const struct rosbag_body *body, const struct rosbag_part *p)
{
	return p > body->parts && !p->sure && body->parts->sure;
}

unsigned
rosbag_part_problem(const struct rosbag_body *body)
{
	return body->doubtful ? ROSBAG_P_INDEX_DOUBT : ROSBAG_P_UNVERIFIED;
}
