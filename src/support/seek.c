/* seek.c - find bytes that a log has in a known form. */
#include "support/seek.h"

#include <string.h>

#include "base/bytes.h"
#include "base/find.h"

#define STRIDE ((uint64_t)1 << 16) /* bytes searched at once */

enum slv_status
slv_seek_is(const struct slv_scan *s, uint64_t off, const void *mark, size_t n,
    bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = slv_range_in(off, n, s->logical_end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	*yes = memcmp(p, mark, n) == 0;
	return SLV_OK;
}

enum slv_status
slv_seek(const struct slv_scan *s, uint64_t from, uint64_t to, const void *mark,
    size_t n, uint64_t *out, struct slv_err *err)
{
	for (; from < to && slv_range_in(from, n, s->logical_end);
	     from += STRIDE) {
		size_t len = (size_t)slv_min64(s->logical_end - from,
		    slv_min64(to - from, STRIDE) + n - 1);
		const uint8_t *p, *hit;

		SLV_TRY(slv_window_view(s->window, from, len, &p, err));
		hit = slv_find_bytes(p, len, mark, n);
		if (hit != NULL) {
			*out = from + (uint64_t)(hit - p);
			return SLV_OK;
		}
	}
	*out = to;
	return SLV_OK;
}
