/* again.c - the same log repeated after its end. */
#include "core/readings/again.h"

#include "core/compare.h"

enum slv_status
slv_again(struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct slv_unit u = { 0 };

	SLV_TRY(slv_compare(s, s->base, off, UINT64_MAX, end, err));
	*end += off;
	if (slv_ranges_hit(&s->source->unreadable, 0, *end)) {
		*end = off;
		return SLV_OK;
	}
	if (*end >= s->logical_end)
		return SLV_OK;
	/* Another log must follow the last copy: a longer log of the same
	 * recording is more than a copy. */
	*end -= (*end - s->base) % (off - s->base);
	if (*end > off)
		SLV_TRY(s->format->unit(s, *end, SLV_ASK_STRANGER, &u, err));
	if (!u.whole_log)
		*end = off;
	return SLV_OK;
}
