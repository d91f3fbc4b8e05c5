/* cyber_hole.c - pages of zeros in a message, where a file system lost what
 * was written.
 *
 * Nothing in a record tells zeros that were recorded from others.  But those
 * that were recorded begin and end anywhere, and lost ones where pages do.
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

#define SLACK 16 /* bytes of zeros that may stand beside a page by chance */

/* Whether the page at `at` is all zeros. */
static enum slv_status
is_zero(struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	/* One look tells almost all others apart. */
	SLV_TRY(slv_window_view(&s->window, at, 8, &p, err));
	*yes = slv_get_le64(p) == 0;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, at, SLV_PAGE, &p, err));
	*yes = p[0] == 0 && memcmp(p, p + 1, SLV_PAGE - 1) == 0;
	return SLV_OK;
}

/* Whether bytes that are not zero stand close on both sides of [off, end). */
static enum slv_status
is_edged(struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	static const uint8_t zeros[SLACK];
	const uint8_t *p;

	*yes = false;
	if (off < SLACK || !slv_range_in(end, SLACK, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(&s->window, off - SLACK, SLACK, &p, err));
	*yes = memcmp(p, zeros, SLACK) != 0;
	SLV_TRY(slv_window_view(&s->window, end, SLACK, &p, err));
	*yes &= memcmp(p, zeros, SLACK) != 0;
	return SLV_OK;
}

enum slv_status
cyber_find_hole(struct slv_scan *s, uint64_t off, uint64_t end, uint64_t *hole,
    struct slv_err *err)
{
	uint64_t at = (off + SLV_PAGE - 1) / SLV_PAGE * SLV_PAGE, from;
	bool yes;

	*hole = 0;
	while (at + SLV_PAGE <= end) {
		from = at;
		SLV_TRY(is_zero(s, at, &yes, err));
		while (yes && at + SLV_PAGE <= end) {
			at += SLV_PAGE;
			if (at + SLV_PAGE <= end)
				SLV_TRY(is_zero(s, at, &yes, err));
		}
		if (at == from) {
			at += SLV_PAGE;
			continue;
		}
		SLV_TRY(is_edged(s, from, at, &yes, err));
		if (yes) {
			*hole = from;
			return SLV_OK;
		}
	}
	return SLV_OK;
}
