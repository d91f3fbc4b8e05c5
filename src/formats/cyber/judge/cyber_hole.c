/* cyber_hole.c - pages of zeros in a message, where a file system lost what
 * was written.
 *
 * Nothing in a record distinguishes recorded zeros from lost bytes.  But recorded
 * zeros begin and end anywhere, and lost pages at page boundaries of the file.  A
 * black image may do so by chance: its zeros begin or end where a field does, and
 * those of a lost page inside a field.
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

#define SLACK 16 /* bytes of zeros that may be beside a page by chance */
#define DEPTH 32 /* fields in fields */

static enum slv_status
is_zero(const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	/* Almost all other pages differ in these bytes. */
	SLV_TRY(slv_window_view(s->window, at, 8, &p, err));
	*yes = slv_get_le64(p) == 0;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, SLV_PAGE, &p, err));
	*yes = p[0] == 0 && memcmp(p, p + 1, SLV_PAGE - 1) == 0;
	return SLV_OK;
}

/* Whether the hasher lists pages of zeros while it reads. */
static bool
are_noted(const struct slv_scan *s)
{
	return s->along != NULL && s->opt.from == NULL
	    && s->along->pages != NULL;
}

/* Let the hasher read up to `end`, and to the end of its stride. */
static enum slv_status
read_to(const struct slv_scan *s, uint64_t end, struct slv_err *err)
{
	uint64_t part = end % SLV_HASHER_STRIDE;

	if (end <= s->along->now.off)
		return SLV_OK;
	if (part > 0)
		end =
		    slv_min64(s->source->size, end - part + SLV_HASHER_STRIDE);
	return slv_hasher_to(s->along, end, err);
}

/* The first pages of zeros in [from, end), which begins and ends as pages do;
 * empty: there are none. */
static enum slv_status
next_zeros(const struct slv_scan *s, uint64_t from, uint64_t end,
    struct slv_range *out, struct slv_err *err)
{
	const struct slv_range *r = NULL;
	bool zero = false;

	*out = (struct slv_range){ end, end };
	if (are_noted(s)) {
		SLV_TRY(read_to(s, end, err));
		r = slv_ranges_from(&s->pages.runs, from);
	}
	if (r != NULL && r->off < end)
		*out = (struct slv_range){ slv_max64(r->off, from),
			slv_min64(r->end, end) };
	/* The list is complete, unless it is full. */
	if (are_noted(s)
	    && (out->off < end || s->pages.runs.n < SLV_PAGES_RUNS))
		return SLV_OK;
	for (; from < end && !zero; from += SLV_PAGE)
		SLV_TRY(is_zero(s, from, &zero, err));
	if (!zero)
		return SLV_OK;
	out->off = from - SLV_PAGE;
	for (out->end = from; out->end < end && zero;) {
		SLV_TRY(is_zero(s, out->end, &zero, err));
		out->end += zero ? SLV_PAGE : 0;
	}
	return SLV_OK;
}

/* Widen pages of zeros by the zeros on both sides; *yes: they are few. */
static enum slv_status
find_edges(const struct slv_scan *s, struct slv_range *zeros, bool *yes,
    struct slv_err *err)
{
	const uint8_t *p;
	unsigned n = 0;

	*yes = false;
	if (zeros->off < SLACK
	    || !slv_range_in(zeros->end, SLACK, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, zeros->off - SLACK, SLACK, &p, err));
	while (n < SLACK && p[SLACK - 1 - n] == 0)
		n++;
	zeros->off -= n;
	*yes = n < SLACK;
	SLV_TRY(slv_window_view(s->window, zeros->end, SLACK, &p, err));
	for (n = 0; n < SLACK && p[n] == 0; n++)
		zeros->end++;
	*yes &= n < SLACK;
	return SLV_OK;
}

/* Whether zeros around whole pages begin or end where [off, end) does, or one of
 * the fields that may be in it, which must hold all of the pages. */
static enum slv_status
is_field(const struct slv_scan *s, uint64_t off, uint64_t end,
    const struct slv_range *pages, const struct slv_range *zeros, bool *yes,
    struct slv_err *err)
{
	struct cyber_any f;
	unsigned depth = 0;
	bool good;

	*yes = false;
	while (off <= pages->off && end >= pages->end && depth < DEPTH) {
		*yes = off == zeros->off || end == zeros->end;
		if (*yes)
			return SLV_OK;
		do {
			SLV_TRY(cyber_any_get(s, off, end, &f, &good, err));
			if (!good)
				return SLV_OK;
			off = f.off + f.len;
		} while (off <= pages->off && off < end);
		off = f.off;
		end = f.off + f.len;
		depth++;
	}
	return SLV_OK;
}

enum slv_status
cyber_find_hole(const struct slv_scan *s, uint64_t off, uint64_t end,
    uint64_t *hole, struct slv_err *err)
{
	uint64_t at = (off + SLV_PAGE - 1) / SLV_PAGE * SLV_PAGE;
	uint64_t to = end / SLV_PAGE * SLV_PAGE;
	struct slv_range pages, zeros;
	bool edged, field;

	*hole = 0;
	for (; at < to; at = pages.end) {
		SLV_TRY(next_zeros(s, at, to, &pages, err));
		if (pages.off == to)
			return SLV_OK;
		zeros = pages;
		SLV_TRY(find_edges(s, &zeros, &edged, err));
		if (!edged)
			continue;
		SLV_TRY(is_field(s, off, end, &pages, &zeros, &field, err));
		if (field)
			continue;
		*hole = pages.off;
		return SLV_OK;
	}
	return SLV_OK;
}
