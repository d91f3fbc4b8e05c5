/* bddf_carries.c - which series carry blocks of another log in their payloads? */
#include <string.h>

#include "core/scan/resync.h"
#include "formats/bddf/recover/bddf_inside.h"

#define SAMPLES 3 /* blocks of a series that are searched */

/* Whether the block of data at off carries blocks; *len: what it spans. */
static enum slv_status
is_carrier(const struct slv_scan *s, uint64_t off, uint64_t *len, bool *large,
    bool *yes, struct slv_err *err)
{
	struct bddf_data d;
	struct slv_unit u;
	uint64_t from, mark;
	bool spent;

	*yes = *large = false;
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !bddf_is_data(&u))
		return SLV_OK;
	memcpy(&d, u.priv, sizeof(d));
	from = off + BDDF_DATA_HEAD + d.size;
	*len = u.len;
	*large = off + u.len - from >= BDDF_CARRY_MIN;
	if (!*large)
		return SLV_OK;
	SLV_TRY(slv_resync(
	    s, from, off + u.len, SLV_ASK_SEARCH, &mark, &spent, err));
	*yes = !spent && mark < off + u.len;
	return SLV_OK;
}

enum slv_status
bddf_carries(const struct slv_scan *s, uint32_t index, enum bddf_carries *out,
    uint64_t *most, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_chunk *last, *first;

	*out = BDDF_MAY_CARRY;
	if (index >= b->n_series || b->series[index].first == NULL)
		return SLV_OK;
	first = b->series[index].first;
	last = b->series[index].last;
	for (unsigned i = 0; i < SAMPLES; i++) {
		bool yes, large;
		uint64_t len = 0;
		struct bddf_entry e = i == 0
		    ? bddf_chunk_get(last, last->n - 1)
		    : bddf_chunk_get(first, (first->n - 1) * (i - 1));

		SLV_TRY(is_carrier(s, e.off, &len, &large, &yes, err));
		if (yes) {
			*out = BDDF_CARRIES;
			*most = slv_max64(*most, len);
		} else if (large && *out == BDDF_MAY_CARRY) {
			*out = BDDF_CARRIES_NONE;
		}
	}
	return SLV_OK;
}
