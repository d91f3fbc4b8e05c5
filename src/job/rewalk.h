/* rewalk.h - walk over the log again, when it is known what each block is
 * worth: the first walk may have had to begin anew. */
#ifndef SLV_JOB_REWALK_H
#define SLV_JOB_REWALK_H

#include "job/work.h"

/* Tell the caller of every block.  The audit is gone afterwards: all of it must
 * be in the report. */
enum slv_status slv_rewalk_list(struct slv_work *);

/* For what the report tells of times and rules ask about them, where anybody
 * asks. */
enum slv_status slv_rewalk(struct slv_work *);

#endif
