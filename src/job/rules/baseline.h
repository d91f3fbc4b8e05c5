/* baseline.h - is the file what it was on an earlier day? */
#ifndef SLV_JOB_BASELINE_H
#define SLV_JOB_BASELINE_H

#include "job/work.h"

/* Compute the digests of what was audited, as far as the options ask for them,
 * and compare them with those of an earlier day. */
enum slv_status slv_baseline_judge(struct slv_work *);

#endif
