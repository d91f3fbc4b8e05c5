/* latched.h - records that hold until others replace them. */
#ifndef SLV_JOB_LATCHED_H
#define SLV_JOB_LATCHED_H

#include "job/read/filter.h"
#include "job/read/log.h"

/* Add to the filter, which is settled and has a span of time, what a reader of that
 * span needs: of a latched channel the last record before it, and all records of a
 * channel that explains others. */
enum slv_status slv_latched_find(struct slv_log *, struct slv_filter *);

#endif
