/* annotate.h - note in the output that it was repaired. */
#ifndef SLV_JOB_ANNOTATE_H
#define SLV_JOB_ANNOTATE_H

#include "job/audit/audit.h"
#include "report/report.h"

/* Plan a damaged log again, with salvor's annotations in it.  ->annotated is
 * set if the format has a place for them; otherwise the plan is unchanged. */
enum slv_status slv_annotate(struct slv_audit *, struct slv_err *);

/* Return true if annotations of an earlier repair are in the log. */
enum slv_status slv_annotate_find(
    struct slv_scan *, bool *noted, struct slv_err *);

/* Read the annotations of an earlier repair that lost records, or that a digest
 * contradicted; otherwise h is unchanged. */
void slv_annotate_recall(const struct slv_facts *, struct slv_history *h);

#endif
