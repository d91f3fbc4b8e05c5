/* dataflash_build.c - the repaired log as a plan.
 *
 * What is kept is copied in order.  Readers know two rules: the FMT of FMT is the
 * first message, and every type is declared before its first message.
 */
#include "formats/dataflash/dataflash_state.h"

enum slv_status
dataflash_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	size_t next = 0;

	*possible = s->units_kept > 0 || s->keeps_others;
	if (*possible && !m->has_first)
		SLV_TRY(slv_plan_bytes(
		    plan, dataflash_first, DATAFLASH_FMT_SIZE, err));
	for (size_t i = 0; i < s->catalog.n && *possible; i++) {
		const struct slv_extent *x = &s->catalog.at[i];
		uint64_t at = x->off, end = x->off + x->len;

		if (x->fate != SLV_KEPT)
			continue;
		for (; next < m->n_edits && m->edits[next].off < end; next++) {
			const struct dataflash_edit *e = &m->edits[next];

			if (e->off > at)
				SLV_TRY(
				    slv_plan_copy(plan, at, e->off - at, err));
			if (e->type >= 0)
				SLV_TRY(
				    slv_plan_bytes(plan, m->types[e->type].fmt,
				        DATAFLASH_FMT_SIZE, err));
			at = slv_max64(at, e->off + e->len);
		}
		SLV_TRY(slv_plan_copy(plan, at, end - at, err));
	}
	return SLV_OK;
}
