/* rosbag_ahead.c - decode the chunks to come while this one is read.
 *
 * Nothing is believed for it: headers are followed as far as they lead from
 * one to the next, and a stream that then turns out to begin or end elsewhere
 * is decoded again.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/rosbag/read/rosbag_unit.h"

#define SPARE ((size_t)4 << 20)   /* bytes of memory that are used again */
#define SMALL ((uint64_t)1 << 20) /* bytes of a bag; less is no work for two */

static enum slv_status
ahead_of(
    const struct slv_scan *s, struct rosbag_ahead **out, struct slv_err *err)
{
	void *value;

	SLV_TRY(slv_cache_only(s->cache, ROSBAG_CACHED_AHEAD, &value, err));
	*out = value;
	return SLV_OK;
}

void
rosbag_ahead_free(struct rosbag_ahead *a)
{
	slv_crew_free(a->crew);
	slv_buf_free(&a->spare);
}

enum slv_status
rosbag_ahead_spare(
    const struct slv_scan *s, struct slv_buf *buf, struct slv_err *err)
{
	struct rosbag_ahead *a;

	SLV_TRY(ahead_of(s, &a, err));
	if (a->crew == NULL || buf->cap > SPARE || buf->cap <= a->spare.cap)
		return SLV_OK;
	slv_buf_free(&a->spare);
	a->spare = (struct slv_buf){ .at = buf->at, .cap = buf->cap };
	*buf = (struct slv_buf){ 0 };
	return SLV_OK;
}

/* The next chunk at or behind *at that is compressed, over indexes and others;
 * *found = false where the headers lead to none. */
static enum slv_status
find_next(const struct slv_scan *s, uint64_t *at, struct rosbag_record *r,
    bool *found, struct slv_err *err)
{
	enum rosbag_read read;

	*found = false;
	while (*at < s->logical_end) {
		SLV_TRY(rosbag_look(s, *at, r, &read, err));
		if (read != ROSBAG_WHOLE
		    || (r->op != ROSBAG_CHUNK && r->op != ROSBAG_INDEX)
		    || rosbag_span(r) > s->logical_end - *at)
			return SLV_OK;
		*found = r->op == ROSBAG_CHUNK && r->codec != SLV_CODEC_NONE
		    && r->data > 0 && r->data <= ROSBAG_STREAM_MAX;
		if (*found)
			return SLV_OK;
		*at += rosbag_span(r);
	}
	return SLV_OK;
}

static enum slv_status
submit(const struct slv_scan *s, struct rosbag_ahead *a, uint64_t data,
    const struct rosbag_record *r, struct slv_err *err)
{
	struct slv_job job = {
		.kind = r->codec,
		.n = r->data,
		.expect = r->size,
		.cancel = s->opt.cancel,
	};
	enum slv_status st;

	SLV_TRY(rosbag_stream_max(s, &job.max, err));
	job.in = slv_realloc(NULL, r->data);
	if (job.in == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_source_read(s->source, data, job.in, job.n, err);
	if (st != SLV_OK) {
		free(job.in);
		return st;
	}
	a->streams[(a->first + a->n++) % ROSBAG_AHEAD] =
	    (struct rosbag_stream){ data, data + r->data, r->codec };
	job.room = a->spare;
	a->spare = (struct slv_buf){ 0 };
	slv_crew_submit(a->crew, job);
	return SLV_OK;
}

enum slv_status
rosbag_ahead_go(const struct slv_scan *s, uint64_t from, struct slv_err *err)
{
	struct rosbag_ahead *a;
	bool found = true;

	if (s->source->size < SMALL || s->proving != NULL)
		return SLV_OK;
	SLV_TRY(rosbag_may_waste(s, &found, err));
	SLV_TRY(ahead_of(s, &a, err));
	if (found && a->crew == NULL)
		SLV_TRY(slv_crew_start(&a->crew, err));
	a->next = slv_max64(a->next, from);
	while (found && a->n < ROSBAG_AHEAD && !slv_crew_full(a->crew)) {
		struct rosbag_record r;

		SLV_TRY(find_next(s, &a->next, &r, &found, err));
		if (!found)
			break;
		SLV_TRY(submit(s, a, a->next + rosbag_head(&r), &r, err));
		a->next += rosbag_span(&r);
	}
	return SLV_OK;
}

enum slv_status
rosbag_ahead_get(const struct slv_scan *s, const struct rosbag_stream *want,
    struct slv_decode *out, bool *had, struct slv_err *err)
{
	struct rosbag_ahead *a;

	*had = false;
	SLV_TRY(ahead_of(s, &a, err));
	while (!*had && a->n > 0 && a->streams[a->first].off <= want->off) {
		const struct rosbag_stream next = a->streams[a->first];
		enum slv_status st;

		a->first = (a->first + 1) % ROSBAG_AHEAD;
		a->n--;
		SLV_TRY(slv_crew_fetch(a->crew, out, err));
		*had = next.off == want->off && next.end == want->end
		    && next.codec == want->codec;
		if (*had)
			break;
		st = rosbag_waste(s, out, err);
		slv_decode_free(out);
		SLV_TRY(st);
	}
	return SLV_OK;
}
