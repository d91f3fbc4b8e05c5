/* stray.h - whole units in a place where nothing in the log has them.
 *
 * An index, the headers of chunks and numbers in frames say which units were
 * recorded, and where.  Where they agree but for one unit, or for some in a row, a
 * driver proposes to leave these out, or to put them back; a scan of the log without
 * them must then find nothing wrong (job/readings/reading_strays.c).
 */
#ifndef SLV_CORE_STRAY_H
#define SLV_CORE_STRAY_H

#include "core/scan/scan.h"

#define SLV_STRAYS 16 /* that are considered, at most */

struct slv_stray {
	uint64_t off, end; /* whole units */
	uint64_t to; /* where they belong, outside of them; off: nowhere */
	uint64_t
	    odd; /* how much better the units around it fit each other without it,
	               * as the driver measures that; 0: they do not */
	uint64_t twin; /* where its bytes are, too; UINT64_MAX: nowhere, or not
	                * searched */
};

/* What a driver proposes; each would do, the likeliest first. */
struct slv_strays {
	struct slv_stray at[SLV_STRAYS];
	size_t n;
	bool more; /* there are others */
};

/* Add a proposal; too many: only `more` is set. */
void slv_strays_add(struct slv_strays *, const struct slv_stray *);

/* Search the twins of all that are proposed. */
enum slv_status slv_strays_twins(
    struct slv_scan *, struct slv_strays *, struct slv_err *);

/* Which proposal is the right one, if any can be told from the others: copies of
 * other units are rather too many than units that are there once.
 *
 *   *pick  n: none; its twin is set where it is to be left out
 */
enum slv_status slv_strays_pick(
    struct slv_scan *, struct slv_strays *, size_t *pick, struct slv_err *);

#endif
