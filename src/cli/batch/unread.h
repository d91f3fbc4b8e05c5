/* unread.h - report unusable lines of journals. */
#ifndef SLV_CLI_UNREAD_H
#define SLV_CLI_UNREAD_H

#include "batch/journal/journal.h"

/* Report them on standard error, the first ones of many; those that a killed
 * run left partially written only if `torn`.
 *
 *   paths  of the journals
 *
 * Returns the number of the others. */
uint64_t slv_unread_say(
    const struct slv_journal *, const char *const *paths, bool torn);

#endif
