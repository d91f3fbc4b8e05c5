/* rescan.h - scan the same reading again, more or less strictly, or with
 * patches.
 */
#ifndef SLV_JOB_RESCAN_H
#define SLV_JOB_RESCAN_H

#include "job/audit/audit.h"

/* Scan again.  The earlier scan is freed first, so that only one takes memory.
 * Bytes that were hashed are not hashed again.  The audit then has no plan.
 *
 *   mends  patches and exclusions for what is read; moved into the audit, and
 *          then empty; NULL: none */
enum slv_status slv_rescan(struct slv_audit *, const struct slv_scan_options *,
    struct slv_mends *mends, struct slv_err *);

/* Move the patches of the last reading back, to use them once more. */
void slv_rescan_take_back(struct slv_audit *, struct slv_mends *);

/* The digest of the source of the present scan. */
const struct slv_hasher *slv_rescan_hasher(const struct slv_audit *);

#endif
