/* rosbag_lost.c - what is broken at an offset: may it have held a message?
 *
 * A bag header and the header of a chunk say nothing that is not known from
 * the rest.
 */
#include "formats/rosbag/read/rosbag_unit.h"

#define HEADER_MAX 64 /* bytes of a chunk's header, whoever wrote it */
#define HEADER     48 /* ... with a name of the compression of three letters */
#define NEAR       ((uint64_t)64 << 10) /* bytes, for the first chunk */
#define PADDING    32 /* spaces that tell the end of the bag header */

static enum slv_status
is_chunk(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r = { .read = ROSBAG_BAD };

	if (off < s->logical_end)
		SLV_TRY(rosbag_look(s, off, &r, err));
	*yes = r.read == ROSBAG_WHOLE && r.op == ROSBAG_CHUNK;
	return SLV_OK;
}

/* Where the first chunk is, which the padding of the bag header tells from
 * the others; off: that is not known. */
static enum slv_status
first_chunk(
    const struct slv_scan *s, uint64_t off, uint64_t *out, struct slv_err *err)
{
	uint64_t to = slv_min64(off + NEAR, s->logical_end), at;
	const uint8_t *p;
	bool yes;

	SLV_TRY(is_chunk(s, ROSBAG_DATA_START, &yes, err));
	*out = yes ? ROSBAG_DATA_START : off;
	if (yes)
		return SLV_OK;
	SLV_TRY(rosbag_find(s, off, to, 1u << ROSBAG_CHUNK, &at, err));
	if (at == to || at - off < PADDING)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at - PADDING, PADDING, &p, err));
	for (int i = 0; i < PADDING; i++)
		yes |= p[i] != ' ';
	*out = yes ? off : at;
	return SLV_OK;
}

/* The magic, the bag header or both. */
static enum slv_status
lost_beginning(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	struct rosbag_record r;
	uint64_t chunk;

	u->problem = ROSBAG_P_HEADER_LOST;
	if (off == 0 && s->logical_end > ROSBAG_MAGIC_SIZE) {
		SLV_TRY(rosbag_look(s, ROSBAG_MAGIC_SIZE, &r, err));
		if (r.read == ROSBAG_WHOLE && r.op == ROSBAG_BAG_HEADER) {
			u->part = SLV_PART_INDEX;
			u->tag = ROSBAG_TAG_MAGIC;
			u->len = ROSBAG_MAGIC_SIZE;
			return SLV_OK;
		}
	}
	SLV_TRY(first_chunk(s, off, &chunk, err));
	if (chunk == off && s->logical_end <= ROSBAG_DATA_START)
		chunk = s->logical_end;
	if (chunk > off) {
		u->part = SLV_PART_INDEX;
		u->tag = ROSBAG_BAG_HEADER;
		u->len = chunk - off;
	}
	return SLV_OK;
}

/* Whether the header of a chunk would be the next. */
static bool
wants_chunk(const struct rosbag *b)
{
	if (!b->open)
		return !b->in_tail;
	return b->in_index
	    || b->chunks[b->n_chunks - 1].codec != SLV_CODEC_NONE;
}

/* How long the rest of the index of the open chunk is, where that is what
 * is at off; 0: it is not. */
static uint64_t
rest_of_index(const struct rosbag *b, uint64_t off)
{
	enum { FIELDS = 47 };
	const struct rosbag_chunk *chunk;
	uint64_t rest = 0;

	if (!b->open)
		return 0;
	chunk = &b->chunks[b->n_chunks - 1];
	if (!b->in_index && chunk->codec == SLV_CODEC_NONE
	    && off != chunk->data + b->claim.len)
		return 0;
	for (size_t i = 0; i < b->n_here; i++) {
		const struct rosbag_conn *c = &b->conns[b->here[i]];

		if (!c->indexed)
			rest += FIELDS + 8
			    + (uint64_t)c->n_here * ROSBAG_ENTRY_SIZE;
	}
	return rest;
}

uint64_t
rosbag_head_room(const struct rosbag *b, enum slv_codec_kind codec, bool headed)
{
	uint64_t rest = rest_of_index(b, b->upto);

	/* It is unknown how much of an odd index is damaged. */
	if (b->index_odd)
		return 0;
	return headed ? rest : rest + HEADER + (codec == SLV_CODEC_NONE);
}

/* Whether compressed data of a chunk begin at off, or other data one byte later. */
static enum slv_status
is_data(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r;
	enum slv_codec_kind codec;
	uint64_t at = off;

	*yes = false;
	if (off + 1 >= s->logical_end)
		return SLV_OK;
	SLV_TRY(rosbag_find_stream(s, off, off + 1, &at, &codec, err));
	*yes = at == off;
	if (*yes)
		return SLV_OK;
	SLV_TRY(rosbag_look(s, off + 1, &r, err));
	*yes = r.read == ROSBAG_WHOLE
	    && (r.op == ROSBAG_MESSAGE || r.op == ROSBAG_CONN);
	return SLV_OK;
}

/* Whether the last unit was a part of a compressed chunk: these bytes may be the rest
 * of it. */
static bool
is_rest(const struct rosbag *b)
{
	return b->open && !b->in_index
	    && b->chunks[b->n_chunks - 1].codec != SLV_CODEC_NONE
	    && !b->chunks[b->n_chunks - 1].stored;
}

enum slv_status
rosbag_lost_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	uint64_t to = slv_min64(off + HEADER_MAX, s->logical_end), at;
	enum slv_codec_kind codec;
	bool data = false;

	if (off == 0 || (off == ROSBAG_MAGIC_SIZE && b->magic.len > 0)
	    || (off == b->header.off + b->header.len && b->n_chunks == 0))
		return lost_beginning(s, off, u, err);
	if (b->in_tail) {
		u->part = SLV_PART_INDEX;
		u->tag = ROSBAG_INDEX;
		u->problem = ROSBAG_P_INDEX_BROKEN;
		return SLV_OK;
	}
	if (is_rest(b)) {
		u->problem = ROSBAG_P_CHUNK_REST;
		if (off == b->upto && b->torn != NULL
		    && b->torn->unverified > 0) {
			u->problem = ROSBAG_P_CHUNK_UNSURE;
			u->got = b->torn->unverified;
		}
		return SLV_OK;
	}
	u->len = rest_of_index(b, off);
	if (u->len > 0) {
		SLV_TRY(is_data(s, off + u->len + HEADER, &data, err));
		if (data)
			u->len += HEADER + 1;
		u->part = SLV_PART_INDEX;
		u->tag = ROSBAG_INDEX;
		u->problem = ROSBAG_P_INDEX_BROKEN;
		return SLV_OK;
	}
	if (!wants_chunk(b))
		return SLV_OK;
	SLV_TRY(rosbag_find_stream(s, off, to, &at, &codec, err));
	SLV_TRY(rosbag_find(
	    s, off, at, 1u << ROSBAG_MESSAGE | 1u << ROSBAG_CONN, &at, err));
	if (at == to || at == off)
		return SLV_OK;
	u->part = SLV_PART_INDEX;
	u->tag = ROSBAG_CHUNK;
	u->len = at - off;
	u->problem = ROSBAG_P_CHUNK_LOST;
	return SLV_OK;
}
