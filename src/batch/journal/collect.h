/* collect.h - on what the journals of several machines disagree. */
#ifndef SLV_BATCH_COLLECT_H
#define SLV_BATCH_COLLECT_H

#include "batch/journal/journal.h"

/* Return true if two entries about one file, both of completed jobs, report
 * different results for the same bytes.  Which of them wrote the output, and
 * when, does not matter. */
bool slv_collect_differ(const struct slv_journal *, const struct slv_entry *,
    const struct slv_entry *);

/* JSON objects, owned by the caller; NULL: out of memory.
 *
 *   changed   a job was done, but the file has changed since
 *   journals  the names of the journals that were read, in which a line may
 *             be garbled or of another command */
char *slv_collect_missing(const char *path, bool changed);
char *slv_collect_conflict(const struct slv_entry *, const struct slv_entry *,
    const char *const *journals);
char *slv_collect_unread(
    const struct slv_unread *, const char *const *journals);

#endif
