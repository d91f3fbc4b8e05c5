/* rosbag_accept.c - a unit belongs to the bag: remember what it says. */
#include "base/list.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "formats/rosbag/read/rosbag_unit.h"

/* Where a frame of LZ4 has its flags, and as ROS writes them. */
#define LZ4_FLAGS_AT 4
#define LZ4_FLAGS    0x64

#define AHEAD        64 /* declarations in a row, before a message */

static enum slv_status
too_many(const struct slv_scan *s, struct slv_err *err)
{
	return slv_fail(err, SLV_E_LIMIT, "%s: more than %d connections",
	    s->source->name, ROSBAG_CONNS_MAX);
}

/* Which number has the first message at off or after it? */
static enum slv_status
find_use(struct slv_scan *s, uint64_t off, uint32_t id, enum rosbag_use *out,
    struct slv_err *err)
{
	struct rosbag_record r;

	for (int i = 0; i < AHEAD && off < s->logical_end; i++) {
		SLV_TRY(rosbag_look(s, off, &r, err));
		if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_MESSAGE)
			*out = r.conn == id ? ROSBAG_USED : ROSBAG_UNUSED;
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_CONN)
			break;
		off += rosbag_span(&r);
	}
	return SLV_OK;
}

/* The same, among the entries of a compressed chunk from i on. */
static enum rosbag_use
use_among(const struct rosbag_entries *e, size_t i, size_t end, uint32_t id)
{
	for (end = slv_min64(end, i + AHEAD); i < end; i++) {
		if (!e->at[i].is_conn)
			return e->at[i].conn == id ? ROSBAG_USED
			                           : ROSBAG_UNUSED;
	}
	return ROSBAG_USE_UNKNOWN;
}

/* A declaration that was judged before, and its bytes: what one view says is not
 * believed of another. */
static enum slv_status
view_conn(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct rosbag_record *r, const uint8_t **p, struct slv_err *err)
{
	SLV_TRY(slv_window_view(s->window, off, (size_t)u->len, p, err));
	return rosbag_record_get(*p, (size_t)u->len, r) == ROSBAG_WHOLE
	        && r->op == ROSBAG_CONN && rosbag_span(r) == u->len
	        && rosbag_conn_sane(*p, r)
	    ? SLV_OK
	    : slv_scan_changed(s, err);
}

/* A message or a connection of an uncompressed chunk, whose own header may be
 * lost. */
static enum slv_status
accept_record(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct rosbag_record *r, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	struct rosbag_entry e = {
		.at = off,
		.len = (uint32_t)u->len,
		.time = r->time,
		.is_conn = r->op == ROSBAG_CONN,
	};
	struct rosbag_decl d = { .off = off, .trust = ROSBAG_AS_IS };
	struct rosbag_record own;
	const uint8_t *p;
	bool full;

	if (!b->open || b->in_index
	    || b->chunks[b->n_chunks - 1].codec != SLV_CODEC_NONE)
		SLV_TRY(
		    rosbag_chunk_open(s, off, NULL, off, SLV_CODEC_NONE, err));
	if (e.is_conn) {
		SLV_TRY(find_use(s, off + u->len, r->conn, &d.use, err));
		SLV_TRY(view_conn(s, off, u, &own, &p, err));
		SLV_TRY(rosbag_decl_add(s, p, &own, d, &e.conn, &full, err));
		if (full)
			return too_many(s, err);
	} else {
		SLV_TRY(rosbag_conn_find(s, r->conn, off, &e.conn, &full, err));
		if (full)
			return too_many(s, err);
		u->channel = b->conns[e.conn].out;
	}
	return rosbag_chunk_add(s, &e, err);
}

/* A declaration in a compressed chunk. */
static enum slv_status
accept_packed_conn(struct slv_scan *s, const uint8_t *p, struct rosbag_entry *e,
    uint64_t off, bool sure, enum rosbag_use use, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_chunk *chunk = &b->chunks[b->n_chunks - 1];
	struct rosbag_decl d = {
		.off = off,
		.packed = true,
		.use = use,
		.trust = chunk->summed ? ROSBAG_PROVEN
		    : chunk->stored    ? ROSBAG_AS_IS
		    : sure             ? ROSBAG_DECODED
		                       : ROSBAG_UNSURE,
	};
	struct rosbag_record r;
	bool full;

	rosbag_record_get(p, e->len, &r);
	if (!rosbag_conn_sane(p, &r)) {
		SLV_TRY(rosbag_conn_spoilt(s, p, &r, off, &full, err));
		chunk->stored = chunk->stays = false;
		return full ? too_many(s, err)
		            : rosbag_problem(s, ROSBAG_P_CONN_SPOILT, off, 0, 0,
		                r.conn, err);
	}
	SLV_TRY(rosbag_decl_add(s, p, &r, d, &e->conn, &full, err));
	if (full)
		return too_many(s, err);
	chunk->declares = true;
	return rosbag_chunk_add(s, e, err);
}

/* The records of one part of what a compressed chunk holds. */
static enum slv_status
accept_part(struct slv_scan *s, const struct rosbag_body *body,
    const struct rosbag_part *part, uint64_t off, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	/* What its writer's checksum contradicts is not all there. */
	if (!part->sure) {
		s->absent |= !body->doubtful;
		s->lost_loose |= !body->doubtful;
		b->unverified = true;
	}
	for (size_t i = part->from; i < part->upto; i++) {
		struct rosbag_entry e = body->entries.at[i];
		const uint8_t *p = body->decode.out.at + e.at;
		bool full;

		if (e.is_conn) {
			SLV_TRY(accept_packed_conn(s, p, &e, off, part->sure,
			    use_among(
			        &body->entries, i + 1, part->upto, e.conn),
			    err));
			continue;
		}
		SLV_TRY(rosbag_conn_find(s, e.conn, off, &e.conn, &full, err));
		if (full)
			return too_many(s, err);
		SLV_TRY(rosbag_chunk_add(s, &e, err));
		s->units_kept++;
		s->units_unsure += part->unsure;
		SLV_TRY(slv_gaps_block(&s->gaps, b->conns[e.conn].out,
		    rosbag_moment(e.time), e.len, err));
	}
	return SLV_OK;
}

/* Whether ROS's own readers would decode it, too: they know but one kind of
 * frame. */
static enum slv_status
note_frame(struct slv_scan *s, const struct rosbag_packed *k,
    const struct rosbag_body *body, struct slv_err *err)
{
	const uint8_t *p;

	if (k->codec != SLV_CODEC_LZ4)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, k->data, LZ4_FLAGS_AT + 1, &p, err));
	return p[LZ4_FLAGS_AT] == LZ4_FLAGS
	    ? SLV_OK
	    : rosbag_problem(s, ROSBAG_P_LZ4_FRAME, k->data, body->decode.used,
	        LZ4_FLAGS, p[LZ4_FLAGS_AT], err);
}

/* Accept a compressed chunk; of a damaged one the first part that can be decoded. */
static enum slv_status
accept_packed(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_packed k = rosbag_packed_get(u);
	struct rosbag_chunk *chunk;
	const struct rosbag_body *body;
	struct rosbag_part all = { .sure = true };

	SLV_TRY(rosbag_body_at(s, k.data, &k.claim, k.codec, &body, err));
	SLV_TRY(rosbag_chunk_open(
	    s, off, k.headed ? &k.claim : NULL, k.data, k.codec, err));
	chunk = &b->chunks[b->n_chunks - 1];
	chunk->limit = chunk->data_end = body->limit;
	chunk->expect = k.claim.size;
	chunk->size = (uint32_t)body->decode.out.len;
	chunk->stored = body->whole;
	if (!body->whole) {
		SLV_TRY(rosbag_body_tear(s, body, err));
		return b->torn->n_parts == 0
		    ? slv_scan_changed(s, err)
		    : accept_part(s, b->torn, &b->torn->parts[0], off, err);
	}
	chunk->summed = body->decode.pieces->proven;
	chunk->doubtful = body->doubtful;
	b->unverified |= body->doubtful;
	s->units_unsure += body->unsure;
	SLV_TRY(note_frame(s, &k, body, err));
	all.upto = body->entries.n;
	chunk->data_end = k.data + body->decode.used;
	chunk->stays = k.headed && k.claim.size == chunk->size
	    && k.claim.len == body->decode.used && !body->corrected;
	chunk->stored &= !body->corrected;
	return accept_part(s, body, &all, off, err);
}

/* The beginning of one, which is lost, before the first part. */
static enum slv_status
accept_beginning(struct slv_scan *s, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag_packed k = rosbag_packed_get(u);
	const struct rosbag_body *body;

	SLV_TRY(rosbag_body_at(s, k.data, &k.claim, k.codec, &body, err));
	return rosbag_body_tear(s, body, err);
}

/* A later part of the damaged stream. */
static enum slv_status
accept_later(struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const struct rosbag_part *part = rosbag_part_at(b, off);
	const struct rosbag_chunk *last =
	    b->n_chunks > 0 ? &b->chunks[b->n_chunks - 1] : NULL;

	if (part == NULL)
		return slv_scan_changed(s, err);
	if (last == NULL || !b->open || last->data != b->torn->off) {
		SLV_TRY(rosbag_chunk_open(
		    s, off, NULL, b->torn->off, b->torn->codec, err));
		b->chunks[b->n_chunks - 1].limit = b->torn->limit;
		b->chunks[b->n_chunks - 1].expect = b->torn->expect;
	}
	return accept_part(s, b->torn, part, off, err);
}

static enum slv_status
accept_index(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	bool same = false, ours = false, full = false;

	if (b->open && b->head.encrypted && off == b->upto)
		SLV_TRY(
		    rosbag_cipher_index(s, off, u->len, r, &same, &full, err));
	else if (b->open && !b->head.encrypted)
		SLV_TRY(
		    rosbag_index_check(s, off, r, u->len, &same, &ours, err));
	if (full)
		return too_many(s, err);
	if (b->open && b->head.encrypted && !same) {
		/* It goes, and so does what follows it. */
		b->index_odd = true;
		u->fate = SLV_REBUILT;
		return rosbag_chunk_close(s, err);
	}
	if (!b->open || (off != b->upto && !ours)) {
		/* Of a chunk that is lost; in the index at the end, where no
		 * reader expects it, something that must go. */
		b->tail_odd |= b->tail > 0;
		SLV_TRY(SLV_ADD(
		    b, orphans, err, (struct rosbag_range){ off, u->len }));
		SLV_TRY(rosbag_chunk_close(s, err));
		u->fate = SLV_REBUILT;
		return SLV_OK;
	}
	if (!b->in_index)
		b->chunks[b->n_chunks - 1].index = off;
	b->in_index = true;
	b->index_odd |= !same || off != b->upto;
	b->chunks[b->n_chunks - 1].end = off + u->len;
	return SLV_OK;
}

/* A CONNECTION record of the index at the end. */
static enum slv_status
accept_tail(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_record r;
	bool full;
	const uint8_t *p;
	uint32_t i;

	SLV_TRY(view_conn(s, off, u, &r, &p, err));
	SLV_TRY(rosbag_decl_add(s, p, &r,
	    (struct rosbag_decl){
	        .off = off, .trust = ROSBAG_AS_IS, .in_tail = true },
	    &i, &full, err));
	if (full)
		return too_many(s, err);
	/* Readers take connections first. */
	b->tail_odd |= b->conns[i].in_tail || b->n_infos > 0;
	b->conns[i].in_tail = true;
	b->tail_conns++;
	return SLV_OK;
}

SLV_ORDER(compare_counts, struct rosbag_count, conn)

static enum slv_status
accept_info(struct slv_scan *s, uint64_t off, const struct rosbag_record *r,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_info info = {
		.chunk = s->base + r->chunk_pos,
		.from = r->start,
		.to = r->end,
		.first_count = b->n_counts,
		.n_counts = r->data / ROSBAG_COUNT_SIZE,
	};
	const uint8_t *p;

	if (b->n_infos == 0)
		b->first_info = off;
	SLV_TRY(SLV_ROOM(b, infos, 1, err));
	SLV_TRY(SLV_ROOM(b, counts, info.n_counts, err));
	off += rosbag_head(r);
	for (size_t i = 0; i < info.n_counts; i++) {
		SLV_TRY(slv_window_view(s->window, off + 8 * i, 8, &p, err));
		b->counts[b->n_counts++] = (struct rosbag_count){
			slv_get_le32(p),
			slv_get_le32(p + 4),
		};
	}
	if (info.n_counts > 0)
		slv_sort(b->counts + info.first_count, info.n_counts,
		    sizeof(*b->counts), compare_counts);
	b->infos[b->n_infos++] = info;
	b->tail_odd |= r->data != (uint64_t)r->count * ROSBAG_COUNT_SIZE;
	return SLV_OK;
}

/* A record of the index at the end. */
static enum slv_status
accept_end(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	if (b->tail == 0) {
		b->tail = off;
		b->tail_gap = off - b->upto;
		b->tail_room = rosbag_head_room(b, SLV_CODEC_NONE, true);
	}
	SLV_TRY(rosbag_chunk_close(s, err));
	b->tail_odd |= b->in_tail && off != b->upto;
	b->in_tail = true;
	b->tail_end = off + u->len;
	return r->op == ROSBAG_CONN ? accept_tail(s, off, u, err)
	                            : accept_info(s, off, r, err);
}

static enum slv_status
accept_header(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	const uint8_t *p;

	b->header = (struct rosbag_range){ off, u->len };
	b->head = *r;
	if (r->index_pos > 0)
		b->head.index_pos += s->base;
	/* Chunks are read by what the index says, and it was not known where
	 * that is. */
	slv_cache_drop(s->cache);
	/* The information about the key of an encrypted bag cannot be rebuilt. */
	if (!r->encrypted)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, (size_t)u->len, &p, err));
	b->header_text = b->texts.len;
	slv_buf_add(&b->texts, p, (size_t)u->len);
	return slv_buf_check(&b->texts, err);
}

/* A unit that is one record. */
static enum slv_status
accept_one(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag_record r;

	SLV_TRY(rosbag_look(s, off, &r, err));
	switch (r.op) {
	case ROSBAG_BAG_HEADER: return accept_header(s, off, u, &r, err);
	case ROSBAG_CHUNK:
		return rosbag_chunk_open(s, off,
		    &(struct rosbag_claim){ r.data, r.size }, off + u->len,
		    SLV_CODEC_NONE, err);
	case ROSBAG_INDEX: return accept_index(s, off, u, &r, err);
	case ROSBAG_INFO:
		if (r.read != ROSBAG_WHOLE || rosbag_span(&r) != u->len)
			return slv_scan_changed(s, err);
		return accept_end(s, off, u, &r, err);
	case ROSBAG_CONN:
		if (u->part == SLV_PART_INDEX)
			return accept_end(s, off, u, &r, err);
		return accept_record(s, off, u, &r, err);
	default: return accept_record(s, off, u, &r, err);
	}
}

/* A declaration that no reader can take; the index may have a good one. */
static enum slv_status
accept_spoilt(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_record r;
	const uint8_t *p;
	bool full = false;

	SLV_TRY(slv_window_view(s->window, off, (size_t)u->len, &p, err));
	rosbag_record_get(p, (size_t)u->len, &r);
	if (rosbag_head(&r) > u->len || r.topic > u->len
	    || r.topic_len > u->len - r.topic)
		return slv_scan_changed(s, err);
	r.data = (uint32_t)(u->len - rosbag_head(&r));
	SLV_TRY(rosbag_conn_spoilt(s, p, &r, off, &full, err));
	if (full)
		return too_many(s, err);
	if (u->part != SLV_PART_INDEX)
		return SLV_OK;
	SLV_TRY(rosbag_chunk_close(s, err));
	if (b->tail == 0)
		b->tail = off;
	b->in_tail = b->tail_odd = true;
	b->tail_end = off + u->len;
	return SLV_OK;
}

enum slv_status
rosbag_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	/* What is broken after an encrypted chunk was of its index. */
	if (b->head.encrypted && b->open && off != b->upto)
		b->index_odd = true;
	if (b->secrets.len > 0 && b->n_infos == 0 && off != b->upto)
		b->secrets_odd = true;
	if (u->fate == SLV_LOST)
		return accept_beginning(s, u, err);
	if (u->tag == ROSBAG_TAG_MAGIC)
		b->magic = (struct rosbag_range){ off, u->len };
	else if (u->tag == ROSBAG_TAG_PACKED)
		SLV_TRY(accept_packed(s, off, u, err));
	else if (u->tag == ROSBAG_TAG_REST)
		SLV_TRY(accept_later(s, off, err));
	else if (u->tag == ROSBAG_TAG_PROVEN)
		SLV_TRY(rosbag_adopt(s, off, u, err));
	else if (u->tag == ROSBAG_TAG_CIPHER)
		SLV_TRY(rosbag_cipher_chunk(s, off, err));
	else if (u->tag == ROSBAG_TAG_SECRET)
		SLV_TRY(rosbag_secret_accept(s, off, u->len, err));
	else if (u->tag == ROSBAG_TAG_SPOILT)
		SLV_TRY(accept_spoilt(s, off, u, err));
	else if (u->fate == SLV_KEPT)
		SLV_TRY(accept_one(s, off, u, err));
	b->upto = off + u->len;
	if (b->open && !b->in_index)
		b->chunks[b->n_chunks - 1].upto = b->upto;
	return SLV_OK;
}
