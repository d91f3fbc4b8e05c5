/* baseline.h - what a file was, according to a journal. */
#ifndef SLV_BATCH_BASELINE_H
#define SLV_BATCH_BASELINE_H

#include "batch/journal/journal.h"

/* Whether a journal knows of digests of any file. */
bool slv_baseline_is(const struct slv_journal *);

/* What is known of a file; ->sums NULL: nothing that could be used.
 *
 *   sums  holds the digests, to be freed by the caller */
struct slv_baseline slv_baseline_of(
    const struct slv_journal *, const char *path, struct slv_buf *sums);

#endif
