/* baseline.h - what a file was, by the digests in a journal. */
#ifndef SLV_BATCH_BASELINE_H
#define SLV_BATCH_BASELINE_H

#include "batch/journal/journal.h"

/* Return true if a journal has digests of any file. */
bool slv_baseline_is(const struct slv_journal *);

/* The digests of a file; ->sums NULL: nothing usable.
 *
 *   sums  holds the digests, to be freed by the caller */
struct slv_baseline slv_baseline_of(
    const struct slv_journal *, const char *path, struct slv_buf *sums);

#endif
