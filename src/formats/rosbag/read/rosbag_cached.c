/* rosbag_cached.c - what was decoded last is decoded once.
 *
 * unit() decodes a chunk, vouch() and accept() want it again, and so may the plan.
 * The same goes for the header of a record, which vouch() has looked at already
 * when it asks what follows the record before.
 * Of the damaged stream whose parts the walk passes one after the other the state
 * has what it holds, so that no other stream that is looked at meanwhile takes its
 * place.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/rosbag/rosbag_state.h"

static void
free_body(void *body)
{
	rosbag_body_free(body);
}

static void
free_infos(void *infos)
{
	slv_free(((struct rosbag_infos *)infos)->at);
}

const struct slv_cache_kind rosbag_cached[] = {
	[ROSBAG_CACHED_BODY] = { sizeof(struct rosbag_body), 2, free_body },
	[ROSBAG_CACHED_RECORD] = { sizeof(struct rosbag_record), 2, NULL },
	[ROSBAG_CACHED_STREAMS] = SLV_STREAMS_CACHED,
	[ROSBAG_CACHED_INFOS] = { sizeof(struct rosbag_infos), 1, free_infos },
	{ 0 },
};

/* How far a stream reaches at most, when its length cannot be believed: the
 * next record that cannot be inside a chunk.  Zeros at the end of the file may
 * begin in the header before it: then the stream is empty. */
static enum slv_status
outer_end(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	uint64_t to =
	    slv_min64(slv_max64(s->logical_end, off), off + SLV_STREAM_MAX);

	return rosbag_find(s, off, to,
	    1u << ROSBAG_INDEX | 1u << ROSBAG_CHUNK | 1u << ROSBAG_INFO, end,
	    err);
}

/* Whether a record begins at off, so that what is before it may be as
 * long as it says. */
static enum slv_status
is_boundary(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosbag_record r = { .read = ROSBAG_BAD };

	if (off <= s->logical_end)
		SLV_TRY(rosbag_look(s, off, &r, err));
	*yes = r.read == ROSBAG_WHOLE
	    || (off == s->logical_end && off == s->source->size);
	return SLV_OK;
}

/* Which reading is wanted: how far what is stored at `off` reaches is known, or to
 * be found by the header. */
struct wanted {
	uint64_t off, limit;
	const struct rosbag_claim *claim; /* NULL: the limit is known */
	uint32_t size;
	enum slv_codec_kind codec;
};

static bool
is_wanted(const struct rosbag_body *body, const struct wanted *w)
{
	if (body == NULL || body->off != w->off || body->codec != w->codec
	    || body->expect != w->size)
		return false;
	return w->claim == NULL
	    ? body->limit == w->limit
	    : body->claimed && body->claim.len == w->claim->len;
}

static struct rosbag_body *
find_reading(const struct slv_scan *s, const struct wanted *w)
{
	struct rosbag_body *torn = rosbag_of(s)->torn;
	struct rosbag_body *last =
	    slv_cache_find(s->cache, ROSBAG_CACHED_BODY, w->off);

	return is_wanted(torn, w) ? torn : is_wanted(last, w) ? last : NULL;
}

static enum slv_status
read_body(const struct slv_scan *s, const struct wanted *w,
    struct rosbag_body **out, struct slv_err *err)
{
	const struct slv_stored at = { w->off, w->limit, w->codec, w->size };
	void *room;

	*out = find_reading(s, w);
	if (*out != NULL)
		return SLV_OK;
	SLV_TRY(slv_cache_claim(s->cache, ROSBAG_CACHED_BODY, &room, err));
	*out = room;
	SLV_TRY(
	    slv_streams_spare(s, &rosbag_streams, &(*out)->decode.out, err));
	rosbag_body_free(*out);
	SLV_TRY(rosbag_body_decode(s, *out, &at, err));
	slv_cache_keep(s->cache, ROSBAG_CACHED_BODY, room, w->off);
	return SLV_OK;
}

enum slv_status
rosbag_body_again(const struct slv_scan *s, uint64_t off, uint64_t limit,
    uint32_t size, enum slv_codec_kind codec, const struct rosbag_body **out,
    struct slv_err *err)
{
	const struct wanted w = { off, limit, NULL, size, codec };
	struct rosbag_body *body;

	SLV_TRY(read_body(s, &w, &body, err));
	*out = body;
	return SLV_OK;
}

enum slv_status
rosbag_body_at(const struct slv_scan *s, uint64_t off,
    const struct rosbag_claim *claim, enum slv_codec_kind codec,
    const struct rosbag_body **out, struct slv_err *err)
{
	struct wanted w = { off, off + claim->len, claim, claim->size, codec };
	struct rosbag_body *body = find_reading(s, &w);
	bool yes;

	*out = body;
	if (body != NULL)
		return SLV_OK;
	SLV_TRY(is_boundary(s, w.limit, &yes, err));
	if (claim->len == 0 || claim->len > SLV_STREAM_MAX || !yes)
		SLV_TRY(outer_end(s, off, &w.limit, err));
	w.claim = NULL;
	SLV_TRY(read_body(s, &w, &body, err));
	body->claimed = true;
	body->claim = *claim;
	*out = body;
	return SLV_OK;
}

enum slv_status
rosbag_body_tear(
    struct slv_scan *s, const struct rosbag_body *body, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);

	if (body == b->torn)
		return SLV_OK;
	if (b->torn == NULL)
		SLV_TRY(slv_new(&b->torn, 1, sizeof(*b->torn), err));
	rosbag_body_free(b->torn);
	slv_cache_take(s->cache, ROSBAG_CACHED_BODY, body->off, b->torn);
	return SLV_OK;
}

const struct rosbag_part *
rosbag_part_at(const struct rosbag *b, uint64_t off)
{
	for (size_t i = 0; b->torn != NULL && i < b->torn->n_parts; i++) {
		if (b->torn->parts[i].in == off)
			return &b->torn->parts[i];
	}
	return NULL;
}

uint64_t
rosbag_part_next(const struct rosbag *b, uint64_t from, uint64_t to)
{
	for (size_t i = 0; b->torn != NULL && i < b->torn->n_parts; i++) {
		uint64_t in = b->torn->parts[i].in;

		if (in > b->torn->off && in >= from && in < to)
			return in;
	}
	return to;
}
