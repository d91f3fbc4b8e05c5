/* bddf_pool.c - the additional indexes of many blocks, in little memory. */
#include "formats/bddf/index/bddf_pool.h"

#include <stdlib.h>

#include "base/mem.h"

#define PIECE 65536 /* numbers in a piece of the pool */

void
bddf_pool_push(struct bddf_pool *pool, int64_t value)
{
	if (pool->n == pool->n_pieces * (uint64_t)PIECE && !pool->failed) {
		int64_t *piece = slv_realloc(NULL, PIECE * sizeof(*piece));

		if (piece == NULL
		    || slv_grow(&pool->pieces, &pool->cap, pool->n_pieces + 1,
		           sizeof(*pool->pieces), NULL)
		        != SLV_OK) {
			slv_free(piece);
			pool->failed = true;
		} else {
			pool->pieces[pool->n_pieces++] = piece;
		}
	}
	if (pool->failed)
		return;
	pool->pieces[pool->n / PIECE][pool->n % PIECE] = value;
	pool->n++;
}

void
bddf_pool_take(void *pool, uint64_t value)
{
	bddf_pool_push(pool, (int64_t)value);
}

int64_t
bddf_pool_at(const struct bddf_pool *pool, uint64_t i)
{
	return pool->pieces[i / PIECE][i % PIECE];
}

void
bddf_pool_set(struct bddf_pool *pool, uint64_t i, int64_t value)
{
	if (!pool->failed)
		pool->pieces[i / PIECE][i % PIECE] = value;
}

void
bddf_pool_free(struct bddf_pool *pool)
{
	for (size_t i = 0; i < pool->n_pieces; i++)
		slv_free(pool->pieces[i]);
	slv_free(pool->pieces);
	*pool = (struct bddf_pool){ 0 };
}
