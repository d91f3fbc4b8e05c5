/* verdict.h - the state of a log, and what confirms it. */
#ifndef SLV_JOB_VERDICT_H
#define SLV_JOB_VERDICT_H

#include "job/audit/audit.h"

/* The log is intact. */
void slv_verdict_intact(struct slv_audit *);

/* Judge the audit's reading, and whether its plan may be run. */
enum slv_status slv_verdict_of_plan(
    struct slv_audit *, const struct slv_audit_options *, struct slv_err *);

/* Forget the judgement of a plan that does not come out clean. */
void slv_verdict_forget(struct slv_audit *, struct slv_tee *);

/* There is no plan: the driver cannot make one, or the job only describes.  A
 * log that only needs an option of `repair` is damaged. */
void slv_verdict_without_plan(struct slv_audit *, bool possible);

/* Return true if something was recorded, and no record can be kept.  A log of
 * another recording inside counts as something to keep. */
bool slv_verdict_is_empty(const struct slv_audit *);

/* Refuse such a log; a driver may have found the cause. */
enum slv_status slv_verdict_empty(struct slv_audit *, struct slv_err *);

#endif
