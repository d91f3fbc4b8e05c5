/* dropped.h - what a repair leaves out, saved range by range.
 *
 * Each range is a file of its own, NAME.OFFSET-LENGTH.FATE, and
 * NAME.dropped.json has a line of JSON for each.  The manifest gets its name
 * last: where it is, all are.
 */
#ifndef SLV_JOB_DROPPED_H
#define SLV_JOB_DROPPED_H

#include <sys/stat.h>

#include "job/audit/audit.h"
#include "report/report.h"

/* Save in ->save_dropped what the planned repair drops: what is lost or
 * foreign, and filler that is not all zeros.  The report, in which the
 * findings stand already, tells of it.  With dry_run nothing is written, but
 * everything is looked at.
 *
 *   input  what the input is
 *
 * SLV_E_EXISTS: something else stands under one of the names, and force is
 *               false
 * SLV_E_IO, ENOSPC: it will not fit
 * In both cases nothing was written. */
enum slv_status slv_dropped_save(struct slv_report *, const struct slv_audit *,
    const struct slv_options *, const struct stat *input, struct slv_err *);

#endif
