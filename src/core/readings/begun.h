/* begun.h - a log that begins several times: what precedes its last beginning
 * repeats the start of the log.
 */
#ifndef SLV_CORE_BEGUN_H
#define SLV_CORE_BEGUN_H

#include "core/scan/scan.h"

#define SLV_BEGINNINGS 64 /* beginnings that are examined, the first ones */

struct slv_begun {
	uint64_t at[SLV_BEGINNINGS]; /* where the log begins; the first is the
				      * scan's base, or, if no log begins there,
				      * the first beginning before everything
				      * that the scan keeps, provided that no
				      * unit precedes it */
	size_t n;
	size_t last; /* the last beginning such that all bytes before it are
		      * repeated after it, or are zeros: dropping everything
		      * before it loses nothing; 0: there is none */
};

/* Find where the scanned log begins again.  What the scan keeps is not
 * searched, unless it left something out in the next 1 MiB.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_begun_find(
    struct slv_scan *, struct slv_begun *, struct slv_err *);

/* The first place in [from, to) where a log of the format may begin; to: there
 * is none.  Uses the source, the window and `cancel` of the scan.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_begun_next(struct slv_scan *, const struct slv_format *,
    uint64_t from, uint64_t to, uint64_t *out, struct slv_err *);

#endif
