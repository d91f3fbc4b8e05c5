/* surplus.c - bytes that one copy has in duplicate, and another, whole copy
 * does not. */
#include "core/copies/surplus.h"

#include "core/compare.h"

/* Return true if each of the n bytes of a source at `off` equals the one n
 * before or n after it: the first bytes those after, the others those
 * before. */
static enum slv_status
repeats(struct slv_source *s, uint64_t off, uint64_t n, bool *yes,
    struct slv_err *err)
{
	uint64_t after, before = 0;

	SLV_TRY(slv_compare_sources(s, off, s, off + n, n, &after, err));
	if (after < n && off + after >= n)
		SLV_TRY(slv_compare_sources(s, off + after, s, off + after - n,
		    n - after, &before, err));
	*yes = after + before == n;
	return SLV_OK;
}

/* Return true if the bytes of the whole copy equal those of the other one
 * except for `more` bytes at *off of that. */
static enum slv_status
find_more(struct slv_source *other, struct slv_source *whole,
    const struct slv_stretch *s, int of, uint64_t more, uint64_t *off,
    bool *yes, struct slv_err *err)
{
	uint64_t len = s->len[!of], first, last;

	SLV_TRY(slv_compare_sources(
	    other, s->off[of], whole, s->off[!of], len, &first, err));
	*off = s->off[of] + first;
	SLV_TRY(slv_compare_sources(other, *off + more, whole,
	    s->off[!of] + first, len - first, &last, err));
	*yes = first + last == len;
	return SLV_OK;
}

enum slv_status
slv_is_surplus(const struct slv_copy *const copy[2],
    const struct slv_stretch *s, int of, bool *yes, struct slv_err *err)
{
	const struct slv_copy *other = copy[of], *whole = copy[!of];
	uint64_t more = s->len[of] - s->len[!of], off;

	*yes = false;
	if (s->len[of] <= s->len[!of] || whole->mended != NULL
	    || !slv_scan_is_sound(&whole->scan)
	    || whole->scan.end == SLV_END_UNKNOWN)
		return SLV_OK;
	SLV_TRY(find_more(
	    other->source, whole->source, s, of, more, &off, yes, err));
	return *yes ? repeats(other->source, off, more, yes, err) : SLV_OK;
}
