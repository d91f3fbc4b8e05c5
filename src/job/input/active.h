/* active.h - is another process writing the input while it is judged?
 *
 * A log that is being written ends somewhere and has no footer yet.  That is
 * not damage.
 */
#ifndef SLV_JOB_ACTIVE_H
#define SLV_JOB_ACTIVE_H

#include <sys/stat.h>

#include "io/read/source.h"
#include "report/report.h"

/* SLV_E_ACTIVE: another process has it open for writing.  SLV_OK: none has, or
 * the system does not report it. */
enum slv_status slv_active_writer(struct slv_source *, struct slv_err *);

typedef enum slv_status slv_active_fn(const char *name,
    const struct stat *opened, const struct stat *now, struct slv_err *);

/* SLV_E_ACTIVE: the file has changed since it was opened.
 *
 *   name  the message begins with it */
enum slv_status slv_active_change(const char *name, const struct stat *opened,
    const struct stat *now, struct slv_err *);

/* The same for a job with reads that contradict each other, or that does not read all
 * again: another ctime alone is a change, too, because the file's owner cannot set it
 * back. */
enum slv_status slv_active_touch(const char *name, const struct stat *opened,
    const struct stat *now, struct slv_err *);

/* Remove from the report what is true only of a finished log: that it is damaged, sound or
 * repairable, and its losses.  The facts about its content so far remain. */
void slv_active_unsay(struct slv_report *);

#endif
