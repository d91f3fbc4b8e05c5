/* bddf_clock.h - do the times of the blocks belong to one recording? */
#ifndef SLV_FORMATS_BDDF_CLOCK_H
#define SLV_FORMATS_BDDF_CLOCK_H

#include "formats/bddf/recover/bddf_known.h"

/* Whether two times are further apart than one recording's leap. */
bool bddf_clock_far(const struct slv_scan *, int64_t x, int64_t y);

/* A data block at off is kept. */
enum slv_status bddf_clock_note(struct slv_scan *, uint64_t off, uint64_t len,
    struct slv_moment at, struct slv_err *);

/* The era of the block at off; NULL: of none. */
struct bddf_era *bddf_clock_era(const struct bddf *, uint64_t off);

/* Raise a note wherever the clock was set, going by all that was kept. */
enum slv_status bddf_clock_steps(struct slv_scan *, struct slv_err *);

/* Set aside the blocks whose time is not this recording's, going by what the
 * indexes are known to say of them. */
enum slv_status bddf_clock_judge(struct slv_scan *,
    const struct bddf_knowledge *, struct slv_mends *, struct slv_err *);

/* bddf_over.c - where the log was written over an older one, whose index ends
 * the file, set the older one aside.  *yes: it was, and nothing that the index
 * says is of this log. */
enum slv_status bddf_written_over(struct slv_scan *,
    const struct bddf_knowledge *, struct slv_mends *, bool *yes,
    struct slv_err *);

#endif
