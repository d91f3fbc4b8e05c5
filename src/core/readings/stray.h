/* stray.h - whole units in a place that contradicts the rest of the log.
 *
 * An index, the headers of chunks and numbers in frames say which units were
 * recorded, and where.  If they agree except for one unit, or for several in a
 * row, a driver proposes to leave these out, or to put them back.  A scan of
 * the log without them must then find nothing wrong
 * (job/readings/reading_strays.c).
 */
#ifndef SLV_CORE_STRAY_H
#define SLV_CORE_STRAY_H

#include "core/scan/scan.h"

#define SLV_STRAYS 16 /* proposals that are considered */

struct slv_stray {
	uint64_t off, end; /* whole units */
	uint64_t to; /* where they belong, outside of them; off: nowhere */
	uint64_t
	    odd; /* how much better the units around it fit each other without
		  * it, by the driver's measure; 0: not better */
	uint64_t twin; /* offset of the same bytes elsewhere; UINT64_MAX: none,
		        * or not searched */
};

/* The proposals of a driver.  Each would resolve the contradiction; the
 * likeliest first. */
struct slv_strays {
	struct slv_stray at[SLV_STRAYS];
	size_t n;
	bool more; /* there are more than fit */
};

/* Add a proposal; if there are too many, only `more` is set. */
void slv_strays_add(struct slv_strays *, const struct slv_stray *);

/* Search the twins of all proposals. */
enum slv_status slv_strays_twins(
    struct slv_scan *, struct slv_strays *, struct slv_err *);

/* Pick the right proposal, if one stands out: a copy of another unit is more
 * likely surplus than a unit without a copy.
 *
 *   *pick  n: none; its twin is set if it is to be left out
 */
enum slv_status slv_strays_pick(
    struct slv_scan *, struct slv_strays *, size_t *pick, struct slv_err *);

#endif
