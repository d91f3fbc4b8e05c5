/* mcap_body.c - what a compressed chunk holds. */
#include "formats/mcap/read/mcap_body.h"

#include <stdlib.h>

#include "base/mem.h"
#include "digest/crc32.h"
#include "formats/mcap/mcap_state.h"
#include "formats/mcap/read/mcap_head.h"
#include "support/streams.h"

#define LOOK 1024 /* records between two looks at a signal */

static void
free_body(void *body)
{
	mcap_body_free(body);
}

const struct slv_cache_kind mcap_cached[] = {
	[MCAP_CACHED_BODY] = { sizeof(struct mcap_body), 2, free_body },
	[MCAP_CACHED_STREAMS] = SLV_STREAMS_CACHED,
	{ 0 },
};

/* Find the next compressed chunk; other records are skipped. */
static enum slv_status
find_next(const struct slv_scan *s, uint64_t *at, struct slv_stored *stream,
    uint64_t *after, bool *found, struct slv_err *err)
{
	*found = false;
	for (; *at < s->logical_end && !*found; *at = *after) {
		struct mcap_record r;
		enum mcap_read read;
		struct mcap_head h;

		SLV_TRY(mcap_look(s, *at, &r, &read, err));
		if (read != MCAP_WHOLE || r.op == MCAP_DATA_END_OP)
			return SLV_OK;
		*after = *at + mcap_span(&r);
		if (r.op != MCAP_CHUNK)
			continue;
		SLV_TRY(mcap_head_get(s, *at, &h, found, err));
		*found &= !h.damaged && !h.strange && !h.open
		    && h.codec != SLV_CODEC_NONE && h.claim.stored > 0
		    && h.claim.stored <= SLV_STREAM_MAX;
		if (*found) {
			*stream = (struct slv_stored){ h.data, h.end, h.codec,
				h.claim.size };
			return SLV_OK;
		}
	}
	return SLV_OK;
}

static const struct slv_stream_rules streams = {
	.cached = MCAP_CACHED_STREAMS,
	.size_max = UINT64_MAX,
	.sum = slv_crc32,
	.next = find_next,
};

void
mcap_body_free(struct mcap_body *body)
{
	slv_decode_free(&body->decode);
	slv_free(body->entries.at);
	*body = (struct mcap_body){ 0 };
}

struct mcap_entry
mcap_entry_get(const struct mcap_record *r, uint64_t at)
{
	return (struct mcap_entry){
		.at = at,
		.len = mcap_span(r),
		.time = r->v[MCAP_LOG_TIME],
		.publish = r->v[MCAP_PUBLISH],
		.sequence = (uint32_t)r->v[MCAP_SEQUENCE],
		.id = (uint16_t)r->v[MCAP_ID],
		.op = (uint8_t)slv_min64(r->op, MCAP_PRIVATE),
	};
}

/* The record after those that were read, which is no message. */
static enum slv_status
read_other(const struct mcap_bytes *b, const struct mcap_body *body,
    struct mcap_entry *out, bool *good, struct slv_err *err)
{
	struct mcap_record r;
	enum mcap_read read;

	SLV_TRY(mcap_record_get(b, body->end, &r, &read, err));
	*good = read == MCAP_WHOLE && mcap_is_inner(&r);
	if (*good && body->unsure)
		SLV_TRY(mcap_record_strict(b, body->end, &r, good, err));
	*out = mcap_entry_get(&r, body->end);
	return SLV_OK;
}

/* Read records as long as they are whole and may be in a chunk.  If the data may be wrong,
 * end before the first record that is unusual. */
static enum slv_status
read_records(const struct slv_scan *s, struct mcap_body *body, uint64_t to,
    struct slv_err *err)
{
	const struct mcap_bytes b = { NULL, body->decode.out.at, to };
	struct mcap_entries *e = &body->entries;
	struct mcap_entry one;
	bool good = true;

	for (body->end = 0; body->end < to; body->end += one.len) {
		if (e->n % LOOK == 0)
			SLV_TRY(slv_scan_go_on(s, err));
		if (mcap_message_get(
		        b.at + body->end, to - body->end, body->end, &one))
			good = one.len <= to - body->end
			    && (!body->unsure
			        || mcap_is_ours(mcap_of(s), one.id, one.time));
		else
			SLV_TRY(read_other(&b, body, &one, &good, err));
		if (!good)
			return SLV_OK;
		SLV_TRY(
		    slv_grow(&e->at, &e->cap, e->n + 1, sizeof(*e->at), err));
		e->at[e->n++] = one;
		body->messages += one.op == MCAP_MESSAGE;
	}
	return SLV_OK;
}

/* Damage in compressed data shows late, or never.  What the index after the chunk
 * names otherwise, and what follows that, is not what was recorded. */
static enum slv_status
leave_unnamed(
    const struct slv_scan *s, struct mcap_body *body, struct slv_err *err)
{
	struct mcap_names names = { 0 };
	struct mcap_entries *e = &body->entries;
	enum slv_status st = mcap_names_read(s, body->limit,
	    body->decode.out.len / MCAP_MESSAGE_HEAD + 1, &names, err);
	size_t n = 0;

	while (n < e->n && names.n > 0
	    && (e->at[n].op != MCAP_MESSAGE
	        || mcap_names_tell(
	            &names, e->at[n].at, e->at[n].id, e->at[n].time)))
		n++;
	for (size_t i = n; i < e->n; i++)
		body->messages -= e->at[i].op == MCAP_MESSAGE;
	e->n = n;
	if (body->messages == 0)
		e->n = 0;
	body->end = e->n > 0 ? e->at[e->n - 1].at + e->at[e->n - 1].len : 0;
	slv_free(names.at);
	return st;
}

bool
mcap_is_field_wrong(uint32_t own, uint32_t stated)
{
	uint32_t differs = own ^ stated;

	while (differs != 0 && (differs & 0xff) == 0)
		differs >>= 8;
	return differs != 0 && differs <= 0xff;
}

/* Whether the checksum in the head confirms what was decoded, except for one byte of the
 * checksum itself. */
static void
judge_sum(const struct mcap *m, struct mcap_body *body, uint32_t crc)
{
	const struct slv_decode *d = &body->decode;
	uint32_t own = d->summed ? d->sum : slv_crc32(0, d->out.at, d->out.len);

	body->field_wrong = mcap_is_field_wrong(own, crc);
	body->refuted = own != crc && !body->field_wrong;
	if (body->refuted && m->n_headed > 0 && m->n_sums == 0) {
		/* No chunk so far has a checksum: neither had this one. */
		body->refuted = body->summed = false;
		body->field_wrong = true;
	}
}

/* The records that begin what was decoded, without a last one that damage may
 * have reached. */
static enum slv_status
read_part(const struct slv_scan *s, struct mcap_body *body, uint32_t crc,
    struct slv_err *err)
{
	const struct slv_decode *d = &body->decode;
	const struct slv_decoded_piece *first =
	    d->n_pieces > 0 ? d->pieces : NULL;
	bool whole = d->how == SLV_DECODED_WHOLE;
	uint64_t to = first == NULL ? 0 : first->len;

	if (first == NULL || !first->at_known || first->at != 0)
		return SLV_OK;
	body->summed = crc != 0;
	if (whole && crc != 0)
		judge_sum(mcap_of(s), body, crc);
	else if (!whole && first->firm < to)
		to = first->firm;
	body->unsure = body->refuted || (!whole && d->how != SLV_DECODED_CUT);
	SLV_TRY(read_records(s, body, to, err));
	/* What the head states of the size is judged with the head. */
	body->whole = whole && body->end == d->out.len;
	body->unsure |= !body->whole && d->how != SLV_DECODED_CUT;
	return body->unsure ? leave_unnamed(s, body, err) : SLV_OK;
}

enum slv_status
mcap_body_at(const struct slv_scan *s, uint64_t off, uint64_t limit,
    enum slv_codec_kind codec, uint64_t size, uint32_t crc,
    const struct mcap_body **out, struct slv_err *err)
{
	const struct slv_stored at = { off,
		slv_min64(limit, off + SLV_STREAM_MAX), codec,
		slv_min64(size, s->opt.limits.max_chunk) };
	struct mcap_body *body =
	    slv_cache_find(s->cache, MCAP_CACHED_BODY, off);
	void *room;

	*out = body;
	if (body != NULL && body->limit == limit && body->codec == codec
	    && body->size == size && body->crc == crc)
		return SLV_OK;
	SLV_TRY(slv_cache_claim(s->cache, MCAP_CACHED_BODY, &room, err));
	body = room;
	SLV_TRY(slv_streams_spare(s, &streams, &body->decode.out, err));
	mcap_body_free(body);
	body->off = off;
	body->limit = limit;
	body->codec = codec;
	body->size = size;
	body->crc = crc;
	SLV_TRY(slv_streams_decode(s, &streams, &at, &body->decode, err));
	SLV_TRY(read_part(s, body, crc, err));
	slv_cache_keep(s->cache, MCAP_CACHED_BODY, room, off);
	*out = body;
	return SLV_OK;
}
