/* restore.h - recover more than a careful reading of the blocks gives.
 *
 * The careful plan keeps what is confirmed.  If the log's own digest survived
 * and does not match, speculative readings are tried: damaged heads from the
 * index, suspect blocks kept, everything derived rebuilt, one bit flipped back.
 * The digest decides, so nothing is invented.  If it cannot decide, only what
 * the bytes themselves show is corrected.
 */
#ifndef SLV_JOB_RESTORE_H
#define SLV_JOB_RESTORE_H

#include "job/audit/audit.h"

/* Plan the result of the present scan.  *possible = false: no log can be
 * made. */
enum slv_status slv_restore_plan(
    struct slv_audit *, unsigned effort, bool *possible, struct slv_err *);

/* Return true if the log's digest covers the plan's bytes. */
bool slv_restore_matches(const struct slv_audit *);

/* Scan and plan again with other assumptions, if the result is better than that
 * of the audit, which has a plan. */
enum slv_status slv_restore(
    struct slv_audit *, const struct slv_audit_options *, struct slv_err *);

/* The plan does not come out clean: scan and plan again, more carefully.
 *
 *   care       1: the next step, and so on
 *   *possible  false: there is no further step, or no log can be made */
enum slv_status slv_restore_careful(struct slv_audit *,
    const struct slv_audit_options *, unsigned care, bool *possible,
    struct slv_err *);

/* The scan cannot be planned, because nothing is left of the log, or because it
 * states a version or kind that does not exist: is that one flipped bit?  If
 * so, scan and plan again. */
enum slv_status slv_restore_flip(struct slv_audit *,
    const struct slv_audit_options *, bool *possible, struct slv_err *);

/* Return true if what was restored is less than what was recorded. */
bool slv_restore_is_lossy(const struct slv_audit *);

/* Report what was restored. */
enum slv_status slv_restore_report(struct slv_audit *, struct slv_err *);

#endif
