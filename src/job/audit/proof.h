/* proof.h - the second reading: digest what a plan makes, and scan it. */
#ifndef SLV_JOB_PROOF_H
#define SLV_JOB_PROOF_H

#include "job/audit/audit.h"

/* Digest what the plan makes, and write it at the same time to the tee; NULL:
 * no tee. */
enum slv_status slv_proof_know(
    struct slv_audit *, struct slv_tee *, struct slv_err *);

/* Scan the plan as if it were a file.
 *
 *   *objection  what is wrong with it: a repair that would not come out clean
 *               is not written; NULL: nothing */
enum slv_status slv_proof_scan(struct slv_audit *,
    const struct slv_audit_options *, const char **objection, struct slv_err *);

#endif
