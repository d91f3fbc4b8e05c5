/* plan_lines.h - a plan as text. */
#ifndef SLV_JOB_PLAN_LINES_H
#define SLV_JOB_PLAN_LINES_H

#include "core/readings/view.h"
#include "report/report.h"

/* Put the plan into the report: the ranges of the file that are copied, and
 * everything between them.
 *
 *   view  the view of the file that was planned */
enum slv_status slv_plan_lines(struct slv_report *, const struct slv_plan *,
    const struct slv_view *, struct slv_err *);

#endif
