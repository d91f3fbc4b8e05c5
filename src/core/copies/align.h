/* align.h - which bytes of two copies of one recording belong together.
 *
 * Blocks that both copies have, known by their first bytes, are what the rest
 * is measured by.  Between two of them that are as far apart in one copy as in
 * the other, byte stands beside byte, whatever became of it; elsewhere bytes
 * were taken out of one copy or put into it.
 */
#ifndef SLV_CORE_ALIGN_H
#define SLV_CORE_ALIGN_H

#include "core/copies/copy.h"

/* A stretch of the recording: in the first copy, in the second, or, where
 * both lengths are equal and not 0, in both, byte beside byte. */
struct slv_stretch {
	uint64_t off[2], len[2];
};

struct slv_alignment {
	struct slv_stretch *at; /* owned; in order */
	size_t n, cap;
	size_t common;     /* units that both have */
	size_t timed;      /* those of them that have a time: records */
	uint64_t unplaced; /* bytes of whole units of one copy that stand
	                    * nowhere in the alignment */
};

enum slv_status slv_align(struct slv_alignment *, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *);

void slv_alignment_free(struct slv_alignment *);

#endif
