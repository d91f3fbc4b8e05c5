/* collect.h - what the journals of many machines say that one does not. */
#ifndef SLV_BATCH_COLLECT_H
#define SLV_BATCH_COLLECT_H

#include "batch/journal/journal.h"

/* Whether two entries about one file, both of a job that came to its end, say
 * different things of the same bytes.  Who wrote the output does not matter,
 * nor when. */
bool slv_collect_differ(const struct slv_journal *, const struct slv_entry *,
    const struct slv_entry *);

/* Objects for those who read JSON, to be owned by the caller; NULL: out of
 * memory.
 *
 *   changed   a job was done, but the file is another one now
 *   journals  the names of those that were gathered, in which a line may be
 *             garbled or foreign */
char *slv_collect_missing(const char *path, bool changed);
char *slv_collect_conflict(const struct slv_entry *, const struct slv_entry *,
    const char *const *journals);
char *slv_collect_unread(
    const struct slv_unread *, const char *const *journals);

#endif
