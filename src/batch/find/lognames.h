/* lognames.h - which file names promise a log.
 *
 * A file below a directory that is not a log is left out.  But if its name says
 * that it was one, a recorder made it, and nothing of the recording is left.
 */
#ifndef SLV_BATCH_LOGNAMES_H
#define SLV_BATCH_LOGNAMES_H

#include <stdbool.h>

/* Return true if a file of this name must hold a log.
 *
 *   looks_like  what it holds instead, as in a report; NULL: unknown */
bool slv_lognames_promise(const char *path, const char *looks_like);

#endif
