/* bddf_pool.h - the additional indexes of many blocks, in little memory. */
#ifndef SLV_FORMATS_BDDF_POOL_H
#define SLV_FORMATS_BDDF_POOL_H

#include "base/status.h"

/* Numbers of many records, in pieces that never move. */
struct bddf_pool {
	int64_t **pieces; /* owned */
	size_t n_pieces, cap;
	uint64_t n;  /* numbers in all */
	bool failed; /* memory ran out */
};

void bddf_pool_push(struct bddf_pool *, int64_t value);
/* The same, as a bddf_extra_fn. */
void bddf_pool_take(void *pool, uint64_t value);
int64_t bddf_pool_at(const struct bddf_pool *, uint64_t i);
void bddf_pool_set(struct bddf_pool *, uint64_t i, int64_t value);
void bddf_pool_free(struct bddf_pool *);

#endif
