/* twins.h - pages near damage with the same bytes as another page.
 *
 * A file system or a disk wrote a page to two places.  What was in one of them
 * before is lost, and the records around it are torn.  Both places begin at a
 * multiple of the sector size.
 */
#ifndef SLV_CORE_TWINS_H
#define SLV_CORE_TWINS_H

#include "core/scan/scan.h"

#define SLV_TWINS 8 /* pages that are listed, at most */

struct slv_twin {
	uint64_t off, len; /* bytes, both multiples of SLV_SECTOR */
	uint64_t twin;     /* where the same bytes are */
	bool sure;         /* nothing is torn there */
};

struct slv_twins {
	struct slv_twin at[SLV_TWINS]; /* in order */
	size_t n;
};

/* List pages of a finished scan that tear a unit where they begin or end.  Pages of
 * one repeated byte, and those in more than four places, are no evidence.  The
 * source is read once if the times of the records step back next to damage; else
 * only what is near damage is.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_twins_find(
    struct slv_scan *, struct slv_twins *, struct slv_err *);

#endif
