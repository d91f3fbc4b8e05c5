/* backup.h - the log as it was before another tool changed it.
 *
 * Such a tool may have cut off most of the log and left a file that is sound.
 * Then the original that it kept is the file to repair.
 */
#ifndef SLV_JOB_BACKUP_H
#define SLV_JOB_BACKUP_H

#include <sys/stat.h>

#include "job/audit/audit.h"
#include "report/report.h"

/* Call fn for each possible name of such a file.  fn owns the name; NULL is a
 * name for which there was no memory.
 *
 *   format  the log's; NULL: not known yet
 *
 * false: fn has returned false, and was not called again */
bool slv_backup_names(const struct slv_format *format, const char *log,
    bool (*fn)(const void *ctx, char *name), const void *ctx);

/* Report a file next to the log that has the same bytes where both have bytes,
 * and more of them.  It is read by its index, or from end to end if it has
 * none.  If only the index of the log was read, it is only reported as longer.
 * A file that cannot be opened is skipped.
 *
 *   st  the log */
enum slv_status slv_backup_find(struct slv_report *, const struct slv_audit *,
    const struct stat *st, struct slv_err *);

#endif
