/* unread.h - lines of journals that could not be used, for people. */
#ifndef SLV_CLI_UNREAD_H
#define SLV_CLI_UNREAD_H

#include "batch/journal/journal.h"

/* Say on standard error which ones, the first of many; those that a killed run
 * has torn only where `torn`.
 *
 *   paths  of the journals
 *
 * Returns how many there are of the others. */
uint64_t slv_unread_say(
    const struct slv_journal *, const char *const *paths, bool torn);

#endif
