/* align.h - which bytes of two copies of one recording correspond.
 *
 * Blocks that both copies have, known by their first bytes, are anchors.
 * Between two anchors with the same distance in both copies, byte corresponds
 * to byte, whatever became of it.  Elsewhere bytes were removed from one copy
 * or inserted into it.
 */
#ifndef SLV_CORE_ALIGN_H
#define SLV_CORE_ALIGN_H

#include "core/copies/copy.h"

/* A range of the recording: in the first copy, in the second, or, if both
 * lengths are equal and not 0, in both, byte by byte. */
struct slv_stretch {
	uint64_t off[2], len[2];
};

struct slv_alignment {
	struct slv_stretch *at; /* owned; in order */
	size_t n, cap;
	size_t common;     /* units that both have */
	size_t timed;      /* those of them with a time: records */
	uint64_t unplaced; /* bytes of whole units of one copy that are nowhere
			    * in the alignment */
};

enum slv_status slv_align(struct slv_alignment *, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *);

void slv_alignment_free(struct slv_alignment *);

#endif
