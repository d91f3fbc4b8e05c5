/* seam.h - places where a copy of a log was resumed at too early an offset.
 *
 * A copy that was resumed at the wrong offset holds a range twice in a row.  No
 * unit fits across that seam, so the walk loses at least one.  Without the
 * duplicate, every byte is where it was recorded.
 */
#ifndef SLV_CORE_SEAM_H
#define SLV_CORE_SEAM_H

#include "core/scan/scan.h"

#define SLV_SEAM_MIN   16 /* least bytes of a duplicate range */
#define SLV_SEAM_MAX   ((uint64_t)1 << 20)
#define SLV_SEAM_HOLES 32 /* in which its copies may differ */

/* Bytes in which both copies of a range differ. */
struct slv_seam_hole {
	uint64_t off, len; /* of the first copy */
	bool kept;         /* the scan keeps both */
	bool doubted;      /* it is not certain which one is damaged */
};

struct slv_seam {
	uint64_t off, len; /* without these bytes the range is there once */
	uint64_t first;    /* offset of its first copy */
	struct slv_seam_hole holes[SLV_SEAM_HOLES]; /* in order */
	size_t n_holes;
	struct slv_range about; /* the damage next to it: what the scan leaves
				 * out there */
};

#define SLV_SEAMS 64 /* seams that are listed, the longest ones */

struct slv_seams {
	struct slv_seam at[SLV_SEAMS]; /* grouped by damage, in order */
	size_t n;
};

/* Where duplicate ranges are sought. */
enum slv_seam_use {
	SLV_SEAM_EXACT, /* next to bytes that the scan leaves out */
	SLV_SEAM_TORN,  /* the same, and these may be in one copy */
	SLV_SEAM_HIDDEN /* anywhere in the first 256 MiB, as one choice */
};

/* Find duplicate ranges.  At most one per damage is a real seam, maybe none: records can
 * resemble each other.  Only the first 64 places of a log are searched.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_seams_find(
    struct slv_scan *, enum slv_seam_use, struct slv_seams *, struct slv_err *);

#endif
