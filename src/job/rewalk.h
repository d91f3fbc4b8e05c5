/* rewalk.h - walk over the log again when the value of each block is known: the
 * first walk may have had to start over. */
#ifndef SLV_JOB_REWALK_H
#define SLV_JOB_REWALK_H

#include "job/work.h"

/* Report every block to the caller.  The audit is freed: everything must be in
 * the report. */
enum slv_status slv_rewalk_list(struct slv_work *);

/* Collect what the report says about times and what rules need, if anything
 * needs it. */
enum slv_status slv_rewalk(struct slv_work *);

#endif
