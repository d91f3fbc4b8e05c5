/* resync.h - after damage, find where the log continues.
 *
 * The driver proposes places, and a place counts if a chain of good units
 * begins there.  Work is bounded by 16 looks at every byte of the file over a
 * whole scan, so a file of false beginnings costs time linear in its size.
 */
#ifndef SLV_CORE_RESYNC_H
#define SLV_CORE_RESYNC_H

#include "core/scan/scan.h"

/* Find the first confirmed place in [from, to).  *out = to if there is none or
 * if the budget is spent; *spent distinguishes the two.
 *
 *   asking  SLV_ASK_SEARCH or SLV_ASK_STRANGER */
enum slv_status slv_resync(const struct slv_scan *, uint64_t from, uint64_t to,
    enum slv_asking asking, uint64_t *out, bool *spent, struct slv_err *);

/* Whether four times as much is spent: not even looks at what was found are free, as a
 * file may have many places each of which leads through all of it. */
bool slv_resync_is_spent(const struct slv_scan *);

/* The driver's next mark in [from, to); to: there is none.  No mark begins in a
 * hole, except near its end.  The rest of the hole is not searched, which could
 * take years. */
enum slv_status slv_next_mark(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

#endif
