/* ranges.h - a sorted set of byte ranges.
 *
 * Ranges are in order, disjoint and not empty; adjacent ranges merge.
 */
#ifndef SLV_BASE_RANGES_H
#define SLV_BASE_RANGES_H

#include "base/status.h"

struct slv_range {
	uint64_t off, end; /* [off, end), off < end */
};

struct slv_ranges {
	struct slv_range *at; /* owned */
	size_t n, cap;
};

/* Add [off, off + len); len may be 0. */
enum slv_status slv_ranges_add(
    struct slv_ranges *, uint64_t off, uint64_t len, struct slv_err *);

/* The first range that ends after off, or NULL. */
const struct slv_range *slv_ranges_from(
    const struct slv_ranges *, uint64_t off);

/* Return true if any byte of [off, off + len) is in the set. */
bool slv_ranges_hit(const struct slv_ranges *, uint64_t off, uint64_t len);

/* How many bytes are in the set. */
uint64_t slv_ranges_sum(const struct slv_ranges *);

void slv_ranges_free(struct slv_ranges *);

#endif
