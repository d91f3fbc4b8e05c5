/* tell.h - copy the result of an audit into a report. */
#ifndef SLV_JOB_TELL_H
#define SLV_JOB_TELL_H

#include "job/audit/audit.h"
#include "job/input/siblings.h"
#include "report/report.h"

/* Copy what the audit found, as far as it came; its list of findings moves to
 * the report.
 *
 *   plan  what will be written, if anything is planned */
enum slv_status slv_tell_audit(struct slv_report *, struct slv_audit *,
    const struct slv_plan *, struct slv_err *);

/* Copy the gaps, and how many units were lost in them and elsewhere. */
enum slv_status slv_tell_losses(
    struct slv_report *, struct slv_scan *, struct slv_err *);

/* Copy which other segments of the recording were used. */
enum slv_status slv_tell_siblings(struct slv_report *, const struct slv_scan *,
    const struct slv_neighbours *, struct slv_err *);

#endif
