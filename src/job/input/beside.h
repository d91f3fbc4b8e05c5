/* beside.h - files next to a log that are not trusted.
 *
 * Anyone who may write to the directory of a log can put a report or an undo
 * record there, or a FIFO of that name.  Such a file changes no verdict, and it
 * is reported as a finding.
 */
#ifndef SLV_JOB_BESIDE_H
#define SLV_JOB_BESIDE_H

#include <sys/stat.h>

#include "job/audit/audit.h"

/* Raise a note for each.
 *
 *   of  the log */
enum slv_status slv_beside_judge(struct slv_audit *, const char *log,
    const struct stat *of, struct slv_err *);

#endif
