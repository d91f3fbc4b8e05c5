/* suspect.c - what looks odd although no checksum contradicts it. */
#include "job/audit/suspect.h"

#include "base/bytes.h"

#define SUSPICIONS 50 /* runs of pages of zeros that are listed */

/* Runs of pages of zeros: how many, and those that are not listed. */
struct suspicion {
	size_t n;
	uint64_t off, len;
};

/* Raise the part of a run of zeros that is in an extent: whole pages. */
static enum slv_status
suspect_run(struct slv_audit *a, const struct slv_extent *x, struct slv_range r,
    struct suspicion *more, struct slv_err *err)
{
	uint64_t off = slv_max64(r.off, x->off + SLV_PAGE - 1);
	uint64_t end = slv_min64(r.end, x->off + x->len);

	off = off / SLV_PAGE * SLV_PAGE;
	end = end / SLV_PAGE * SLV_PAGE;
	if (off >= end)
		return SLV_OK;
	if (more->n++ < SUSPICIONS)
		return slv_scan_core_problem(
		    &a->scan, SLV_P_ZERO_PAGE, off, end - off, err);
	if (more->len == 0)
		more->off = off;
	more->len += end - off;
	return SLV_OK;
}

/* Raise pages of zeros in kept payloads, unless a digest confirms that they
 * were recorded.  The last finding sums up those that are not listed. */
enum slv_status
slv_suspect_pages(struct slv_audit *a, struct slv_err *err)
{
	const struct slv_catalog *c = &a->scan.catalog;
	struct suspicion more = { .n = 0 };

	if (a->assurance == SLV_BY_DIGEST
	    || a->scan.seal.as_is >= SLV_SEAL_FIELD)
		return SLV_OK;
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		const struct slv_range *r = NULL;

		if (x->fate != SLV_KEPT || x->part != SLV_PART_DATA)
			continue;
		for (uint64_t at = x->off; at < x->off + x->len; at = r->end) {
			r = slv_ranges_from(&a->pages.runs, at);
			if (r == NULL)
				break;
			SLV_TRY(suspect_run(a, x, *r, &more, err));
		}
	}
	return more.len == 0 ? SLV_OK
	                     : slv_scan_core_problem(&a->scan, SLV_P_ZERO_PAGE,
	                         more.off, more.len, err);
}

/* Raise a jump in time across lost bytes, if the format has not left out what
 * follows. */
enum slv_status
slv_suspect_leaps(struct slv_scan *s, struct slv_err *err)
{
	struct slv_gap_list list = { 0 };
	enum slv_status st = SLV_OK;

	if (s->catalog.sums[SLV_LOST] > 0)
		st = slv_gaps_list(&s->gaps, &s->catalog, &list, err);
	for (size_t i = 0; st == SLV_OK && i < list.n; i++) {
		const struct slv_gap *g = &list.at[i];
		uint64_t leap = (uint64_t)(g->leap < 0 ? -g->leap : g->leap);

		if (leap > 0)
			st = slv_scan_problem(s,
			    &slv_core_problems[SLV_P_TIME_LEAP], g->off, g->len,
			    0, leap, err);
	}
	slv_gap_list_free(&list);
	return st;
}
