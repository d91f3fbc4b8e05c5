/* ours.h - files that salvor leaves next to logs.
 *
 * They are not logs to be audited: a folder, or "saved" and an asterisk, names
 * them together with the logs that they belong to.
 */
#ifndef SLV_BATCH_OURS_H
#define SLV_BATCH_OURS_H

#include <stddef.h>

#include "base/status.h"

/* Return true if a file of this name, found below a directory, is salvor's. */
bool slv_ours_is(const char *name);

/* Remove from a list of files the reports and undo records of other files in
 * the list; the order stays.  One of a log that is not in the list stays, too: it
 * was meant.
 *
 * SLV_E_NOMEM: the list is unchanged */
enum slv_status slv_ours_drop(char **paths, size_t *n, struct slv_err *);

#endif
