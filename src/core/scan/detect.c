/* detect.c - which format the file has.
 *
 * Drivers bid, and so does the table of other formats.  A compressed or
 * archived log can hold long unchanged parts of the log.  A driver that
 * searches for them would call the container damage, drop it, and destroy the
 * log.
 */
#include "core/scan/detect.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

/* Bits: more than for a chain of units somewhere in the file, less than for the
 * beginning of a log in its place. */
#define BID_OUTER   96

#define MAX_FORMATS 16 /* that are compared */

/* Free the state of an earlier bidder. */
static void
dismiss(struct slv_scan *s)
{
	if (s->state != NULL)
		s->format->release(s->state);
	slv_free(s->state);
	s->state = NULL;
	s->format = NULL;
	slv_cache_drop(s->cache);
	*s->cache = (struct slv_cache){ 0 };
}

/* Prepare s for one format. */
static enum slv_status
adopt(struct slv_scan *s, const struct slv_format *format, struct slv_err *err)
{
	dismiss(s);
	s->state = slv_calloc(1, format->state_size);
	if (s->state == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	s->format = format;
	s->base = 0;
	s->cache->kinds = format->cached;
	SLV_TRY(format->begin(s, &s->bid, err));
	/* It was asked before it knew the dialect. */
	slv_cache_drop(s->cache);
	return SLV_OK;
}

static enum slv_status
find_stranger(
    struct slv_scan *s, const struct slv_stranger **out, struct slv_err *err)
{
	struct slv_look look = {
		.n = (size_t)slv_min64(s->source->size, SLV_STRANGER_HEAD),
		.size = s->source->size,
		.logical_end = s->logical_end,
	};

	if (look.n > 0)
		SLV_TRY(slv_window_view(s->window, 0, look.n, &look.head, err));
	*out = slv_stranger_find(&look);
	return SLV_OK;
}

/* Return true if the file begins with the format's magic. */
static enum slv_status
begins(struct slv_scan *s, const struct slv_format *format, bool *yes,
    struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (s->source->size < format->magic_size)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, 0, format->magic_size, &p, err));
	*yes = memcmp(p, format->magic, format->magic_size) == 0;
	return SLV_OK;
}

/* A candidate format. */
struct bidder {
	const struct slv_format *format;
	unsigned bid;
};

/* How many bytes of the source a walk by a format explains. */
struct explained {
	uint64_t kept; /* in kept units */
	uint64_t read; /* in units that it does not keep: rebuilt bytes, which
	                * may be a gap in which, by the index, nothing was
	                * recorded, and units of another recording, which the
	                * log's own may be taken for without its beginning */
};

static bool
explains_more(const struct explained *a, const struct explained *b)
{
	return a->kept != b->kept ? a->kept > b->kept : a->read > b->read;
}

/* A format that takes too much memory explains nothing. */
static enum slv_status
explain(const struct slv_scan *s, const struct slv_format *format,
    struct explained *out, struct slv_err *err)
{
	const struct slv_format *const only[] = { format, NULL };
	struct slv_scan_options opt = {
		.limits = s->opt.limits,
		.keep = s->opt.keep,
		.time_window = s->opt.time_window,
		.settings = s->opt.settings,
		.no_digest = true,
		.nameless = true,
		.cancel = s->opt.cancel,
	};
	struct slv_err why = { .code = SLV_OK };
	struct slv_scan trial;
	enum slv_status st;

	st = slv_scan_run(&trial, s->source, only, &opt, &why);
	*out = (struct explained){ 0 };
	if (st == SLV_OK)
		*out = (struct explained){
			.kept = trial.catalog.sums[SLV_KEPT],
			.read = trial.catalog.sums[SLV_REBUILT]
			    + trial.catalog.sums[SLV_FOREIGN],
		};
	else if (st != SLV_E_LIMIT)
		*err = why;
	slv_scan_free(&trial);
	return st == SLV_E_LIMIT ? SLV_OK : st;
}

/* Several formats found units and none found the beginning of a log: a log that
 * lost its beginning, and others inside its payloads.  The format that explains
 * most of the file gets it. */
static enum slv_status
compare_bidders(struct slv_scan *s, const struct bidder *at, size_t n,
    const struct slv_format **best, struct slv_err *err)
{
	struct explained most = { 0 }, one;

	for (size_t i = 0; i < n; i++) {
		SLV_TRY(explain(s, at[i].format, &one, err));
		if (!explains_more(&one, &most))
			continue;
		most = one;
		*best = at[i].format;
	}
	return SLV_OK;
}

enum slv_status
slv_detect(struct slv_scan *s, const struct slv_format *const *formats,
    struct slv_err *err)
{
	const struct slv_stranger *stranger;
	const struct slv_format *best = NULL;
	struct bidder bidders[MAX_FORMATS];
	unsigned bid = 0, least;
	bool has_magic;
	size_t n = 0;

	if (s->reference != NULL)
		return adopt(s, s->reference->format, err);
	for (size_t i = 0; formats[i] != NULL; i++) {
		SLV_TRY(begins(s, formats[i], &has_magic, err));
		if (!has_magic)
			continue;
		SLV_TRY(adopt(s, formats[i], err));
		if (s->bid > BID_OUTER)
			return SLV_OK;
	}
	SLV_TRY(find_stranger(s, &stranger, err));
	if (stranger != NULL && stranger->outer)
		bid = BID_OUTER;
	least = bid;
	for (size_t i = 0; s->source->size > 0 && formats[i] != NULL; i++) {
		SLV_TRY(adopt(s, formats[i], err));
		if (s->bid > least && n < MAX_FORMATS)
			bidders[n++] = (struct bidder){ formats[i], s->bid };
		if (s->bid > bid) {
			bid = s->bid;
			best = formats[i];
		}
	}
	if (n > 1 && bid <= BID_OUTER)
		SLV_TRY(compare_bidders(s, bidders, n, &best, err));
	if (best != NULL)
		return s->format == best ? SLV_OK : adopt(s, best, err);
	dismiss(s);
	s->stranger = stranger;
	return SLV_OK;
}
