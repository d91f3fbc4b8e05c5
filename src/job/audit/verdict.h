/* verdict.h - what is said of a log: its state, and what confirms it. */
#ifndef SLV_JOB_VERDICT_H
#define SLV_JOB_VERDICT_H

#include "job/audit/audit.h"

/* It is intact. */
void slv_verdict_intact(struct slv_audit *);

/* What the reading that the audit has is worth, and whether its plan may be
 * run. */
enum slv_status slv_verdict_of_plan(
    struct slv_audit *, const struct slv_audit_options *, struct slv_err *);

/* Forget what was judged of a plan that does not come out clean. */
void slv_verdict_forget(struct slv_audit *, struct slv_tee *);

/* There is no plan: a driver cannot make one, or the job only describes.  What
 * only lacks an option of `repair` is damaged. */
void slv_verdict_without_plan(struct slv_audit *, bool possible);

/* Whether something was recorded, and no record can be kept.  A log of another
 * recording inside is something to keep. */
bool slv_verdict_is_empty(const struct slv_audit *);

/* Refuse such a log; a driver may have found the cause. */
enum slv_status slv_verdict_empty(struct slv_audit *, struct slv_err *);

#endif
