/* fill.h - blocks of a second recording for the gaps of a first.
 *
 * Unlike a copy, a second recording of the same data has other offsets, another
 * order and other numbers.  The driver must therefore say which of its blocks
 * are missing here, and write them as they would be here.
 */
#ifndef SLV_CORE_FILL_H
#define SLV_CORE_FILL_H

#include "core/catalog/gaps.h"
#include "core/copies/joined.h"

/* A place where blocks are missing. */
struct slv_fill_gap {
	uint64_t at; /* offset in the log where they belong */
	struct slv_gap_span span;
};

struct slv_fill {
	const struct slv_fill_gap *gaps; /* borrowed; in order */
	size_t n;

	/* Filled in by the driver: the data part of the log with the added
	 * blocks, without anything that is derived. */
	struct slv_joint joint; /* owned by the caller */
	uint64_t blocks, bytes; /* added, as encoded here */
	uint64_t there;         /* blocks for a gap that are here already */
	uint64_t left_out;      /* blocks of a channel that is not declared here
				 * or has no equivalent */
	bool related;           /* both declare a common channel */
};

#endif
