/* beside.h - files next to a log that are not trusted.
 *
 * Anyone who may write to the directory of a log can put a report or an undo
 * record there, or a FIFO of that name.  Such a file changes no verdict, and it
 * is reported as a finding.
 *
 * Other segments of a recording, and what other tools left, are searched for
 * without a request.  The same rule holds for them: one that is not trusted is
 * ignored.  --donor takes any file.
 */
#ifndef SLV_JOB_BESIDE_H
#define SLV_JOB_BESIDE_H

#include <sys/stat.h>

#include "io/read/source.h"
#include "job/audit/audit.h"

/* Raise a note for each.
 *
 *   of  the log */
enum slv_status slv_beside_judge(struct slv_audit *, const char *log,
    const struct stat *of, struct slv_err *);

/* Open another log beside one, if whoever made it could have made that one, too: see
 * slv_site_doubt().  Its path is borrowed.
 *
 *   of  what the log is
 *
 * SLV_E_REFUSED: somebody else may have put it there
 * SLV_E_IO:      the system refused, or nothing is there */
enum slv_status slv_beside_open(const char *path, const struct stat *of,
    struct slv_source **out, struct stat *st, struct slv_err *err);

#endif
