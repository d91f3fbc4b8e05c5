/* rescan.h - scan what is read as the log again, more or less strict, or with other
 * bytes laid over it.
 */
#ifndef SLV_JOB_RESCAN_H
#define SLV_JOB_RESCAN_H

#include "job/audit/audit.h"

/* Scan again.  The earlier scan goes first, so that two never take memory at once;
 * of what was hashed nothing is hashed again.  The audit has no plan then.
 *
 *   mends  laid over what is read, and left out of it; the audit's then, so that it is
 *          empty; NULL: none */
enum slv_status slv_rescan(struct slv_audit *, const struct slv_scan_options *,
    struct slv_mends *mends, struct slv_err *);

/* Take back what was laid over the last reading, to use it once more. */
void slv_rescan_take_back(struct slv_audit *, struct slv_mends *);

/* The digest of the source that the present scan is of. */
const struct slv_hasher *slv_rescan_hasher(const struct slv_audit *);

#endif
