/* active.h - is somebody writing to the input while we judge it?
 *
 * A log that is being written ends somewhere, has no footer yet, and all that
 * is as it should be.
 */
#ifndef SLV_JOB_ACTIVE_H
#define SLV_JOB_ACTIVE_H

#include <sys/stat.h>

#include "io/read/source.h"
#include "report/report.h"

/* SLV_E_ACTIVE: somebody has it open for writing.  SLV_OK where nobody has
 * or the system does not tell. */
enum slv_status slv_active_writer(struct slv_source *, struct slv_err *);

/* SLV_E_ACTIVE: the file is not what it was when it was opened.
 *
 *   name  the message begins with it */
enum slv_status slv_active_change(const char *name, const struct stat *opened,
    const struct stat *now, struct slv_err *);

/* Take back what holds of a finished log only: that it is damaged, sound or
 * repairable, or has lost anything.  What it holds so far stays. */
void slv_active_unsay(struct slv_report *);

#endif
