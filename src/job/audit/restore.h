/* restore.h - put back more than a careful reading of the blocks gives.
 *
 * The careful plan keeps what vouches for itself.  Where the log's own digest
 * survived and says other bytes, bolder readings are tried: what the index
 * knows about damaged heads, suspect blocks kept, all that is derived made
 * anew, one bit flipped back.  The digest decides, so nothing is invented.
 * Where it cannot decide, only what the bytes themselves show is put back.
 */
#ifndef SLV_JOB_RESTORE_H
#define SLV_JOB_RESTORE_H

#include "job/audit/audit.h"

/* Plan what the present scan found.  *possible = false: nothing can be
 * made. */
enum slv_status slv_restore_plan(
    struct slv_audit *, unsigned effort, bool *possible, struct slv_err *);

/* Whether the plan's bytes are those that the log's digest covers. */
bool slv_restore_matches(const struct slv_audit *);

/* Scan and plan again on another footing, where one is better than that of
 * the audit, which has a plan. */
enum slv_status slv_restore(
    struct slv_audit *, const struct slv_audit_options *, struct slv_err *);

/* The plan does not come out clean: scan and plan again on a more careful
 * footing.
 *
 *   care       1: the next one, and so on
 *   *possible  false: there is none, or nothing can be made */
enum slv_status slv_restore_careful(struct slv_audit *,
    const struct slv_audit_options *, unsigned care, bool *possible,
    struct slv_err *);

/* The scan cannot be planned, because nothing is left of the log or it says
 * that it is of a version or kind that does not exist: is that one flipped
 * bit?  If so, scan and plan again. */
enum slv_status slv_restore_flip(struct slv_audit *,
    const struct slv_audit_options *, bool *possible, struct slv_err *);

/* Whether what was put back is less than what was recorded. */
bool slv_restore_is_lossy(const struct slv_audit *);

/* Report what was put back. */
enum slv_status slv_restore_report(struct slv_audit *, struct slv_err *);

#endif
