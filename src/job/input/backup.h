/* backup.h - the log as it was before a tool of others changed it.
 *
 * Such a tool may have cut off most of the log and left a file that is sound;
 * then the file that it kept aside is the one to repair.
 */
#ifndef SLV_JOB_BACKUP_H
#define SLV_JOB_BACKUP_H

#include <sys/stat.h>

#include "job/audit/audit.h"
#include "report/report.h"

/* Call fn for each name under which such a file may stand.  It owns the name,
 * and NULL is one that found no memory.
 *
 *   format  the log's; NULL: not known yet
 *
 * false: fn has returned that, and was not called again */
bool slv_backup_names(const struct slv_format *format, const char *log,
    bool (*fn)(const void *ctx, char *name), const void *ctx);

/* Put into the report what stands beside its file, holds the same bytes where
 * both have the same, and more of them.  It is read by its index, and where it
 * has none from end to end, unless of the log itself only the index was read:
 * then it is only said that it is longer.  What cannot be opened is passed
 * over.
 *
 *   st  what the log itself is */
enum slv_status slv_backup_find(struct slv_report *, const struct slv_audit *,
    const struct stat *st, struct slv_err *);

#endif
