/* scan_names.c - findings about ranges and about the source, rather than units. */
#include "core/scan/scan_names.h"

#include "base/bytes.h"

/* Unreadable bytes, except those known before. */
static enum slv_status
name_unreadable(struct slv_scan *s, struct slv_range r, struct slv_err *err)
{
	while (r.off < r.end) {
		const struct slv_range *told =
		    slv_ranges_from(&s->source->unrescued, r.off);
		uint64_t upto =
		    told == NULL ? r.end : slv_min64(r.end, told->off);

		if (upto > r.off)
			SLV_TRY(slv_scan_core_problem(
			    s, SLV_P_UNREADABLE, r.off, upto - r.off, err));
		r.off = upto < r.end ? told->end : r.end;
	}
	return SLV_OK;
}

enum slv_status
slv_scan_name_ranges(struct slv_scan *s, struct slv_err *err)
{
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate == SLV_FOREIGN)
			SLV_TRY(slv_scan_core_problem(
			    s, SLV_P_FOREIGN, x->off, x->len, err));
	}
	for (size_t i = 0; i < s->source->unrescued.n; i++) {
		const struct slv_range *r = &s->source->unrescued.at[i];

		SLV_TRY(slv_scan_core_problem(s,
		    s->source->is_joined             ? SLV_P_COPIES_TORN
		        : s->source->packing != NULL ? SLV_P_PACKED_HOLE
		                                     : SLV_P_NOT_RESCUED,
		    r->off, r->end - r->off, err));
	}
	for (size_t i = 0; i < s->source->unreadable.n; i++)
		SLV_TRY(name_unreadable(s, s->source->unreadable.at[i], err));
	return SLV_OK;
}

enum slv_status
slv_scan_name_packing(struct slv_scan *s, struct slv_err *err)
{
	const struct slv_packing *p = s->source->packing;
	const struct slv_problem_info *row = &slv_core_problems[SLV_P_PACKED];

	if (p == NULL)
		return SLV_OK;
	if (p->cut)
		row = &slv_core_problems[SLV_P_PACKED_CUT];
	else if (p->wrong)
		row = &slv_core_problems[SLV_P_PACKED_WRONG];
	s->absent |= p->cut || p->loose;
	s->lost_loose |= p->cut || p->loose;
	/* Checksums of the log itself say more. */
	if (p->wrong && !s->checksummed)
		s->units_unsure = s->units_kept;
	if (s->source->unrescued.n > 0 && !p->cut && !p->wrong)
		return SLV_OK;
	return slv_scan_problem(s, row, s->catalog.end, 0, 0, p->at, err);
}
