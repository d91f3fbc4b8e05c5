/* streams.c - the compressed chunks of a log: decoded ahead by other threads, and
 * within a budget.
 */
#include "support/streams.h"

#include <stdlib.h>

#include "base/mem.h"

#define BASE                                                                   \
	((uint64_t)64 << 20) /* bytes that the chunks of any log may hold */
#define PER_BYTE 256 /* and so many for each byte; LZ4 makes 255 at most */
#define SPARE    ((size_t)4 << 20)   /* bytes of memory that are used again */
#define SMALL    ((uint64_t)1 << 20) /* bytes of a log; less is no work for two */

void
slv_streams_release(void *value)
{
	struct slv_streams *x = value;

	slv_crew_free(x->crew);
	slv_buf_free(&x->spare);
}

static enum slv_status
streams_of(const struct slv_scan *s, const struct slv_stream_rules *rules,
    struct slv_streams **out, struct slv_err *err)
{
	void *value;

	SLV_TRY(slv_cache_only(s->cache, rules->cached, &value, err));
	*out = value;
	return SLV_OK;
}

/* Bytes that all chunks may hold.  Holes of the file do not count: they need no
 * room on a disk.  A proof reads what was counted before. */
static uint64_t
most(const struct slv_scan *s, struct slv_streams *x)
{
	uint64_t written = s->source->size;

	if (s->proving != NULL)
		return UINT64_MAX;
	if (s->opt.limits.max_decoded > 0)
		return s->opt.limits.max_decoded;
	if (x->most == 0) {
		written -= slv_ranges_sum(&s->holes);
		x->most = written > (UINT64_MAX - BASE) / PER_BYTE
		    ? UINT64_MAX
		    : BASE + written * PER_BYTE;
	}
	return x->most;
}

static size_t
most_of_one(const struct slv_scan *s, const struct slv_stream_rules *rules)
{
	return (size_t)slv_min64(s->opt.limits.max_chunk, rules->size_max);
}

/* Bytes that the next chunk may hold; > 0. */
static size_t
most_of_next(const struct slv_scan *s, const struct slv_stream_rules *rules,
    struct slv_streams *x)
{
	uint64_t all = most(s, x);

	return (size_t)slv_min64(
	    most_of_one(s, rules), x->decoded < all ? all - x->decoded : 1);
}

/* Count what a chunk was decoded to. */
static enum slv_status
spend(const struct slv_scan *s, const struct slv_stream_rules *rules,
    struct slv_streams *x, const struct slv_decode *d, uint64_t off,
    struct slv_err *err)
{
	bool over = d->how == SLV_DECODED_OVER;

	x->decoded += d->out.len;
	if (over && d->out.len >= most_of_one(s, rules))
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: the compressed data at %llu hold more than %zu bytes, "
		    "which is the limit for a chunk (--max-chunk)",
		    s->source->name, (unsigned long long)off,
		    most_of_one(s, rules));
	if (!over && x->decoded <= most(s, x))
		return SLV_OK;
	return slv_fail(err, SLV_E_LIMIT,
	    "%s: the compressed chunks up to the one at %llu hold more than "
	    "%llu bytes, which is the limit for all chunks of this file "
	    "(--max-decoded)",
	    s->source->name, (unsigned long long)off,
	    (unsigned long long)most(s, x));
}

/* The stored bytes; freed by the caller. */
static enum slv_status
read_stored(const struct slv_scan *s, const struct slv_stored *at,
    uint8_t **out, struct slv_err *err)
{
	size_t n = (size_t)(at->end - at->off);
	enum slv_status st;

	*out = slv_realloc(NULL, n + 1);
	if (*out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_source_read(s->source, at->off, *out, n, err);
	if (st == SLV_OK)
		return SLV_OK;
	slv_free(*out);
	*out = NULL;
	return st;
}

static enum slv_status
decode_now(const struct slv_scan *s, const struct slv_stored *at, size_t max,
    struct slv_decode *out, struct slv_err *err)
{
	struct slv_buf none = { 0 };
	enum slv_status st;
	uint8_t *in;

	SLV_TRY(read_stored(s, at, &in, err));
	st = slv_decode_into(&none, at->codec, in, (size_t)(at->end - at->off),
	    (size_t)at->size, max, s->opt.cancel, out, err);
	slv_free(in);
	return st;
}

static enum slv_status
submit(const struct slv_scan *s, const struct slv_stream_rules *rules,
    struct slv_streams *x, const struct slv_stored *at, struct slv_err *err)
{
	struct slv_job job = {
		.kind = at->codec,
		.n = (size_t)(at->end - at->off),
		.expect = (size_t)at->size,
		.max = most_of_next(s, rules, x),
		.cancel = s->opt.cancel,
		.sum = rules->sum,
		.read = slv_source_read_fd,
		.fd = slv_source_plain(s->source, at->off, at->end),
		.off = at->off,
	};

	if (job.fd < 0) {
		job.read = NULL;
		SLV_TRY(read_stored(s, at, &job.in, err));
	}
	x->submitted[(x->first + x->n++) % SLV_STREAMS_AHEAD] = *at;
	job.room = x->spare;
	x->spare = (struct slv_buf){ 0 };
	slv_crew_submit(x->crew, job);
	return SLV_OK;
}

/* Let chunks that begin at `from` or after it be decoded in other threads. */
static enum slv_status
go_ahead(const struct slv_scan *s, const struct slv_stream_rules *rules,
    struct slv_streams *x, uint64_t from, struct slv_err *err)
{
	bool found = !x->alone && x->wasted <= most(s, x);

	if (s->source->size < SMALL || s->proving != NULL)
		return SLV_OK;
	if (found && x->crew == NULL)
		SLV_TRY(slv_crew_start(&x->crew, err));
	x->next = slv_max64(x->next, from);
	while (found && x->n < SLV_STREAMS_AHEAD && !slv_crew_full(x->crew)) {
		struct slv_stored at;
		uint64_t after;

		SLV_TRY(rules->next(s, &x->next, &at, &after, &found, err));
		if (!found)
			break;
		SLV_TRY(submit(s, rules, x, &at, err));
		x->next = after;
	}
	return SLV_OK;
}

/* Memory ran out for what is decoded ahead, which is forgotten: there may be enough for
 * one chunk at a time. */
static void
go_alone(struct slv_streams *x, struct slv_err *err)
{
	*err = (struct slv_err){ 0 };
	slv_crew_clear(x->crew);
	x->n = 0;
	x->alone = true;
}

/* What has become of the chunk, where it was decoded ahead. */
static enum slv_status
fetch(struct slv_streams *x, const struct slv_stored *want,
    struct slv_decode *out, bool *had, struct slv_err *err)
{
	*had = false;
	while (x->n > 0 && x->submitted[x->first].off <= want->off) {
		const struct slv_stored next = x->submitted[x->first];
		enum slv_status st;
		bool unread;

		x->first = (x->first + 1) % SLV_STREAMS_AHEAD;
		x->n--;
		st = slv_crew_fetch(x->crew, out, &unread, err);
		if (st == SLV_E_NOMEM) {
			go_alone(x, err);
			return SLV_OK;
		}
		SLV_TRY(st);
		*had = !unread && next.off == want->off && next.end == want->end
		    && next.codec == want->codec;
		if (*had)
			break;
		x->wasted += out->out.len;
		slv_decode_free(out);
	}
	return SLV_OK;
}

enum slv_status
slv_streams_decode(const struct slv_scan *s,
    const struct slv_stream_rules *rules, const struct slv_stored *at,
    struct slv_decode *out, struct slv_err *err)
{
	struct slv_streams *x;
	bool had;

	SLV_TRY(streams_of(s, rules, &x, err));
	SLV_TRY(fetch(x, at, out, &had, err));
	SLV_TRY(go_ahead(s, rules, x, at->end, err));
	if (!had)
		SLV_TRY(decode_now(s, at, most_of_next(s, rules, x), out, err));
	return spend(s, rules, x, out, at->off, err);
}

enum slv_status
slv_streams_spare(const struct slv_scan *s,
    const struct slv_stream_rules *rules, struct slv_buf *buf,
    struct slv_err *err)
{
	struct slv_streams *x;

	SLV_TRY(streams_of(s, rules, &x, err));
	if (x->crew == NULL || buf->cap > SPARE || buf->cap <= x->spare.cap)
		return SLV_OK;
	slv_buf_free(&x->spare);
	x->spare = (struct slv_buf){ .at = buf->at, .cap = buf->cap };
	*buf = (struct slv_buf){ 0 };
	return SLV_OK;
}
