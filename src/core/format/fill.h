/* fill.h - blocks of a second recording for the gaps of a first.
 *
 * Other than a copy, a second recording of the same data has other offsets,
 * another order and other numbers, so that the driver must say which of its
 * blocks are missing here and write them as they would be here.
 */
#ifndef SLV_CORE_FILL_H
#define SLV_CORE_FILL_H

#include "core/catalog/gaps.h"
#include "core/copies/joined.h"

/* Where blocks are missing. */
struct slv_fill_gap {
	uint64_t at; /* in the log: where they belong */
	struct slv_gap_span span;
};

struct slv_fill {
	const struct slv_fill_gap *gaps; /* borrowed; in order */
	size_t n;

	/* Filled in by the driver: the data part of the log with the blocks
	 * in it; all that is derived is left out. */
	struct slv_joint joint; /* owned by the caller */
	uint64_t blocks, bytes; /* that were added, as they are here */
	uint64_t there;         /* blocks of a gap that are here already */
	uint64_t left_out;      /* that are of no channel declared here, or
	                         * cannot be told in its words */
	bool related;           /* the two declare a channel in common */
};

#endif
