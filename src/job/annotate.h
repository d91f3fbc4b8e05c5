/* annotate.h - tell in the output that it was repaired. */
#ifndef SLV_JOB_ANNOTATE_H
#define SLV_JOB_ANNOTATE_H

#include "job/audit.h"

/* Plan a damaged log again, with annotations of ours in it.  ->annotated
 * tells whether the format had a place for them; else the plan is as it
 * was. */
enum slv_status slv_annotate(struct slv_audit *, struct slv_err *);

#endif
