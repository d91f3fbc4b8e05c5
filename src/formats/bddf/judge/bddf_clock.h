/* bddf_clock.h - do the times of the blocks belong to one recording? */
#ifndef SLV_FORMATS_BDDF_CLOCK_H
#define SLV_FORMATS_BDDF_CLOCK_H

#include "formats/bddf/recover/bddf_known.h"

/* Return true if two times differ by more than one recording can leap. */
bool bddf_clock_far(const struct slv_scan *, int64_t x, int64_t y);

/* Note a kept data block at off. */
enum slv_status bddf_clock_note(struct slv_scan *, uint64_t off, uint64_t len,
    struct slv_moment at, struct slv_err *);

/* The era of the block at off; NULL: none. */
struct bddf_era *bddf_clock_era(const struct bddf *, uint64_t off);

/* Raise a note for each place where the clock was set, by everything kept. */
enum slv_status bddf_clock_steps(struct slv_scan *, struct slv_err *);

/* Exclude the blocks with times of another recording, by what the indexes are
 * known to say about them. */
enum slv_status bddf_clock_judge(struct slv_scan *,
    const struct bddf_knowledge *, struct slv_mends *, struct slv_err *);

/* bddf_over.c - if the log was written over an older one with its index at the
 * end of the file, exclude the older one.  *yes: it was, and nothing in the
 * index is about this log. */
enum slv_status bddf_written_over(struct slv_scan *,
    const struct bddf_knowledge *, struct slv_mends *, bool *yes,
    struct slv_err *);

#endif
