/* dropped.h - save what a repair leaves out, range by range.
 *
 * Each range is a file of its own, NAME.OFFSET-LENGTH.FATE, and
 * NAME.dropped.json has a line of JSON for each.  The manifest gets its name
 * last: if it exists, all files exist.
 */
#ifndef SLV_JOB_DROPPED_H
#define SLV_JOB_DROPPED_H

#include <sys/stat.h>

#include "job/audit/audit.h"
#include "report/report.h"

/* Save in ->save_dropped what the planned repair leaves out: lost bytes, other
 * recordings, and padding that is not all zeros.  The report, which already has
 * the findings, says so.  With dry_run everything is checked and nothing is
 * written.
 *
 *   input  status of the input
 *
 * SLV_E_EXISTS: one of the names is taken, and force is false
 * SLV_E_IO, ENOSPC: it will not fit
 *
 * In both cases nothing was written. */
enum slv_status slv_dropped_save(struct slv_report *, const struct slv_audit *,
    const struct slv_options *, const struct stat *input, struct slv_err *);

#endif
