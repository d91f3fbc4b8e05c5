/* cache.c - values that a driver has computed for places of the input. */
#include "core/scan/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum slv_status
slv_cache_claim(
    struct slv_cache *c, unsigned kind, void **out, struct slv_err *err)
{
	const struct slv_cache_kind *k = &c->kinds[kind];
	struct slv_cache_shelf *shelf = &c->shelves[kind];

	if (shelf->values == NULL)
		shelf->values = slv_calloc(k->slots, k->size);
	if (shelf->values == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	shelf->last = (shelf->last + 1) % k->slots;
	shelf->keys[shelf->last] = 0;
	*out = shelf->values + shelf->last * k->size;
	return SLV_OK;
}

void
slv_cache_keep(struct slv_cache *c, unsigned kind, void *room, uint64_t key)
{
	struct slv_cache_shelf *shelf = &c->shelves[kind];
	size_t at = (size_t)((uint8_t *)room - shelf->values);

	shelf->keys[at / c->kinds[kind].size] = key + 1;
}

enum slv_status
slv_cache_copy(struct slv_cache *c, unsigned kind, uint64_t key,
    const void *value, struct slv_err *err)
{
	void *room;

	SLV_TRY(slv_cache_claim(c, kind, &room, err));
	memcpy(room, value, c->kinds[kind].size);
	slv_cache_keep(c, kind, room, key);
	return SLV_OK;
}

void
slv_cache_take(struct slv_cache *c, unsigned kind, uint64_t key, void *out)
{
	size_t size = c->kinds[kind].size;
	uint8_t *value = slv_cache_find(c, kind, key);

	memcpy(out, value, size);
	memset(value, 0, size);
	c->shelves[kind].keys[c->shelves[kind].last] = 0;
}

enum slv_status
slv_cache_only(
    struct slv_cache *c, unsigned kind, void **out, struct slv_err *err)
{
	*out = slv_cache_find(c, kind, 0);
	if (*out != NULL)
		return SLV_OK;
	SLV_TRY(slv_cache_claim(c, kind, out, err));
	slv_cache_keep(c, kind, *out, 0);
	return SLV_OK;
}

void
slv_cache_drop(struct slv_cache *c)
{
	for (unsigned k = 0;
	     c->kinds != NULL && k < SLV_CACHE_KINDS && c->kinds[k].size > 0;
	     k++) {
		struct slv_cache_shelf *shelf = &c->shelves[k];

		for (unsigned i = 0; shelf->values != NULL
		     && c->kinds[k].release != NULL && i < c->kinds[k].slots;
		     i++)
			c->kinds[k].release(
			    shelf->values + i * c->kinds[k].size);
		slv_free(shelf->values);
		*shelf = (struct slv_cache_shelf){ 0 };
	}
}
