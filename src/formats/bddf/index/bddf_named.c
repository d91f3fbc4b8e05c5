/* bddf_named.c - does the index name a block of a series that is not declared?
 *
 * A declaration that was cut out leaves no damaged byte, only blocks of a series
 * that is not known, as another recording would have them.  The index at the end
 * of the file tells them apart: it has the block at this place, as many bytes
 * further on as were cut out before the index.
 */
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/index/bddf_entries.h"

#define INDEX_MAX ((uint64_t)1 << 20) /* bytes searched for the FileIndex */
#define TRIES     16                  /* blocks asked for that it has not */

/* Find the FileIndex that ends at `foot`. */
static enum slv_status
find_index(const struct slv_scan *s, uint64_t foot, struct bddf_range *out,
    struct slv_err *err)
{
	size_t n = (size_t)slv_min64(foot, INDEX_MAX);
	const uint8_t *p;

	*out = (struct bddf_range){ 0 };
	SLV_TRY(slv_window_view(s->window, foot - n, n, &p, err));
	for (size_t i = n - slv_min64(n, BDDF_HEADER_SIZE + 1); i > 0; i--) {
		struct bddf_head head =
		    bddf_head_get(bddf_of(s)->dialect, p + i);

		if (head.type == BDDF_DESCRIPTOR
		    && bddf_head_span(head) == n - i
		    && p[i + BDDF_HEADER_SIZE] == (BDDF_INDEX << 3 | 2)) {
			*out = (struct bddf_range){ foot - n + i, n - i };
			return SLV_OK;
		}
	}
	return SLV_OK;
}

/* What is looked for among entries. */
struct wanted {
	uint64_t off;
	bool found;
};

static void
match(struct bddf_entries *e)
{
	struct wanted *w = e->ctx;

	w->found |= e->entry.off == w->off;
}

/* Whether the SeriesBlockIndex at `at` is of the series and has an entry for
 * w->off. */
static enum slv_status
is_entered(const struct slv_scan *s, uint64_t at, uint32_t series,
    struct wanted *w, struct slv_err *err)
{
	struct bddf_entries e = { .done = match, .ctx = w };
	struct bddf_range body = { .off = at + BDDF_HEADER_SIZE };
	enum bddf_read read;
	struct bddf_head head;
	const uint8_t *p;

	if (!slv_range_in(at, BDDF_HEADER_SIZE, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	body.len = head.size;
	if (head.type != BDDF_DESCRIPTOR
	    || !slv_range_in(body.off, body.len, s->source->size))
		return SLV_OK;
	SLV_TRY(bddf_entries_read(s->window, body, &e, &read, err));
	w->found &= read == BDDF_WHOLE && e.index == series;
	return SLV_OK;
}

enum slv_status
bddf_named(const struct slv_scan *s, uint64_t off, uint32_t series, bool *yes,
    struct slv_err *err)
{
	uint64_t foot = s->source->size - BDDF_END_SIZE, says, at, shift;
	struct bddf_range index;
	struct wanted w = { 0 };
	unsigned *tries;
	const uint8_t *p;
	void *count;

	SLV_TRY(slv_cache_only(s->cache, BDDF_CACHED_TRIES, &count, err));
	tries = count;
	SLV_TRY(bddf_closed(s, yes, err));
	if (!*yes || s->reference != NULL || *tries == TRIES) {
		*yes = false;
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(s->window, foot, BDDF_DIGEST_AT, &p, err));
	says = slv_get_le64(p + BDDF_HEADER_SIZE);
	SLV_TRY(find_index(s, foot, &index, err));
	if (index.len > 0 && index.off <= says) {
		shift = says - index.off;
		w.off = off + shift;
		SLV_TRY(bddf_index_at(s, index, series, &at, err));
		if (at >= shift)
			SLV_TRY(is_entered(s, at - shift, series, &w, err));
	}
	*yes = w.found;
	*tries += !w.found;
	return SLV_OK;
}
