/* beside.h - what is beside a log and is not believed.
 *
 * Whoever may write to the folder of a log can put a report or an undo record
 * of his own beside it, or a FIFO of that name.  None of it changes what is
 * said of the log, and that it is there is a finding.
 */
#ifndef SLV_JOB_BESIDE_H
#define SLV_JOB_BESIDE_H

#include <sys/stat.h>

#include "job/audit/audit.h"

/* Raise a note for each.
 *
 *   of  what the log is */
enum slv_status slv_beside_judge(struct slv_audit *, const char *log,
    const struct stat *of, struct slv_err *);

#endif
