/* seam_run.h - the bytes that equal those some distance before them.
 *
 * One of the two copies of a range may be damaged.  So they may differ where the
 * scan leaves out bytes of either.
 */
#ifndef SLV_CORE_SEAM_RUN_H
#define SLV_CORE_SEAM_RUN_H

#include "core/seams/seam.h"

#define SLV_SEAM_WINDOW 16 /* equal bytes, at least, around what differs */

/* Bytes of a file. */
struct slv_seam_bytes {
	const uint8_t *at; /* borrowed */
	uint64_t off;      /* of the first one */
	size_t n;
	const struct slv_catalog *catalog; /* of the scan; borrowed */
	bool
	    doubts; /* no checksum shows which of two copies is good: they may also
	              * differ where neither is left out */
};

struct slv_seam_run {
	size_t from, end; /* of the second copy, in the bytes */
	struct slv_range holes[SLV_SEAM_HOLES]; /* of that, in any order: they
	                                         * differ */
	size_t n_holes;
};

/* The run around SLV_SEAM_WINDOW bytes at i that equal those `shift` before them:
 * with holes only if these are allowed, and if without them it is shorter than `shift`. */
void slv_seam_run_around(const struct slv_seam_bytes *, size_t i, size_t shift,
    bool holes, struct slv_seam_run *);

/* Set all of a seam but `about`, so that it leaves out the damaged copy of each
 * hole; sorts the holes.  false: the first copy is damaged before the second one,
 * or too little is equal. */
bool slv_seam_of_run(const struct slv_seam_bytes *, struct slv_seam_run *,
    size_t shift, struct slv_seam *);

#endif
