/* begun.h - a log that begins several times: what was written before it began
 * for the last time is its beginning once more.
 */
#ifndef SLV_CORE_BEGUN_H
#define SLV_CORE_BEGUN_H

#include "core/scan/scan.h"

#define SLV_BEGINNINGS 64 /* that are looked at, the first ones */

struct slv_begun {
	uint64_t at[SLV_BEGINNINGS]; /* where the log begins; the first is the
	                              * scan's base, or, where no log begins
	                              * there, the first one before all that the
	                              * scan keeps, if no unit precedes it */
	size_t n;
	size_t last; /* the last one so that all bytes from one beginning to
	              * the next are those after it, too, or zeros: nothing
	              * that is in the file is lost where all before it is left
	              * out; 0: there is none */
};

/* Where the scanned log begins again.  What the scan keeps is not searched,
 * unless something that it leaves out follows within 1 MiB.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_begun_find(
    struct slv_scan *, struct slv_begun *, struct slv_err *);

/* The first place in [from, to) where a log of the format may begin; to: there is
 * none.  Of the scan the source, the window and `cancel` are used.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_begun_next(struct slv_scan *, const struct slv_format *,
    uint64_t from, uint64_t to, uint64_t *out, struct slv_err *);

#endif
