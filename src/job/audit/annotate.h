/* annotate.h - tell in the output that it was repaired. */
#ifndef SLV_JOB_ANNOTATE_H
#define SLV_JOB_ANNOTATE_H

#include "job/audit/audit.h"
#include "report/report.h"

/* Plan a damaged log again, with annotations of ours in it.  ->annotated
 * tells whether the format had a place for them; else the plan is as it
 * was. */
enum slv_status slv_annotate(struct slv_audit *, struct slv_err *);

/* Whether annotations of an earlier repair are in the log. */
enum slv_status slv_annotate_find(
    struct slv_scan *, bool *noted, struct slv_err *);

/* What the annotations of an earlier repair say of a log from which records
 * were lost, or which a digest contradicted; else h is left as it is. */
void slv_annotate_recall(const struct slv_facts *, struct slv_history *h);

#endif
