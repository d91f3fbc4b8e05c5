/* seam.h - where a log continues at an earlier offset than it broke off.
 *
 * A copy that was resumed at the wrong offset holds a range twice in a row.  No
 * unit fits across that seam, so the walk loses at least one.  Without the
 * duplicate, every byte is where it was recorded.
 */
#ifndef SLV_CORE_SEAM_H
#define SLV_CORE_SEAM_H

#include "core/scan/scan.h"

#define SLV_SEAM_MIN 16 /* least bytes of a duplicate range */
#define SLV_SEAM_MAX ((uint64_t)1 << 20)

struct slv_seam {
	uint64_t off, len;      /* these bytes repeat those before them */
	struct slv_range about; /* the damage next to it: what the scan leaves
				 * out there */
};

#define SLV_SEAMS 64 /* seams that are listed, the longest ones */

struct slv_seams {
	struct slv_seam at[SLV_SEAMS]; /* grouped by damage, in order */
	size_t n;
};

/* Find duplicate ranges next to bytes that the scan leaves out.  At most one
 * per damage is a seam; none may be, because records can resemble each other.
 * Only the first 64 places of a log are searched.
 *
 *   everywhere  all seams of the first 256 MiB are one choice
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_seams_find(
    struct slv_scan *, bool everywhere, struct slv_seams *, struct slv_err *);

#endif
