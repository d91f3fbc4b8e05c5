/* seam.h - where a log goes on before the place at which it broke off.
 *
 * A copy that was resumed at the wrong offset holds a stretch twice, the second
 * time right behind the first.  No unit fits at that seam: the walk loses one at
 * least.  Without the second one, every byte stands where it was recorded.
 */
#ifndef SLV_CORE_SEAM_H
#define SLV_CORE_SEAM_H

#include "core/scan.h"

#define SLV_SEAM_MIN 16 /* bytes that are there twice */
#define SLV_SEAM_MAX ((uint64_t)1 << 20)

struct slv_seam {
	uint64_t off, len;      /* the bytes here are those before them */
	struct slv_range about; /* the place: what the scan leaves out there */
};

#define SLV_SEAMS 64 /* that are looked for, the first ones */

struct slv_seams {
	struct slv_seam at[SLV_SEAMS]; /* those about one place together, and
	                                * the places in order */
	size_t n;
};

/* Stretches beside what the scan leaves out that are there twice: one about a
 * place may be a seam, or none of them, as records may be alike.  At most the
 * first 64 places of a log are looked at.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_seams_find(
    struct slv_scan *, struct slv_seams *, struct slv_err *);

#endif
