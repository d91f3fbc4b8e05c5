/* cache.h - values that a driver has computed for places of the input and may
 * need again soon.
 *
 * No answer depends on it: a value that was dropped is computed again, with the
 * same result.  So unit() and vouch(), which change nothing else, may use it.
 * An accept() that changes what cached values depend on drops them.
 *
 * Its other use is to count work that a driver bounds, such as decoded bytes.
 * A bound that is reached ends a search or the job; a count that is dropped
 * begins at 0.
 *
 * Memory: a few slots of a fixed size for each kind of value, and what the
 * values own, which the driver bounds.
 */
#ifndef SLV_CORE_CACHE_H
#define SLV_CORE_CACHE_H

#include "base/status.h"

#define SLV_CACHE_KINDS 4 /* kinds that a driver may have */
#define SLV_CACHE_SLOTS 2 /* values of a kind, at most */

/* One kind of cached value; size 0 ends the list. */
struct slv_cache_kind {
	size_t size;                   /* bytes of a value */
	unsigned slots;                /* 1 .. SLV_CACHE_SLOTS */
	void (*release)(void *values); /* free what it owns; NULL: nothing */
};

/* The values of one kind. */
struct slv_cache_shelf {
	uint8_t *values;                /* owned; NULL: none yet */
	uint64_t keys[SLV_CACHE_SLOTS]; /* key + 1; 0: the slot is empty */
	unsigned last;                  /* slot that was used last */
};

struct slv_cache {
	uint64_t searched;                  /* bytes searched after damage */
	const struct slv_cache_kind *kinds; /* static; NULL: keep nothing */
	struct slv_cache_shelf shelves[SLV_CACHE_KINDS];
};

/* The value of that kind under the key, usually an offset; borrowed until the
 * next slv_cache_claim() of its kind.  NULL: there is none, as under UINT64_MAX. */
static inline void *
slv_cache_find(struct slv_cache *c, unsigned kind, uint64_t key)
{
	struct slv_cache_shelf *shelf = &c->shelves[kind];

	for (unsigned i = 0; i < SLV_CACHE_SLOTS; i++) {
		if (shelf->keys[i] == key + 1 && key != UINT64_MAX) {
			shelf->last = i;
			return shelf->values + i * c->kinds[kind].size;
		}
	}
	return NULL;
}

/* Claim a slot, that of the least recently used value.  The value is still in
 * it, so that its memory can be reused, and the caller frees what it owns.  All
 * zeros if the slot was empty.
 *
 * SLV_E_NOMEM */
enum slv_status slv_cache_claim(
    struct slv_cache *, unsigned kind, void **out, struct slv_err *);

/* Keep the value in that slot under the key. */
void slv_cache_keep(
    struct slv_cache *, unsigned kind, void *room, uint64_t key);

/* Keep a copy of the value, which owns nothing, under the key.
 *
 * SLV_E_NOMEM */
enum slv_status slv_cache_copy(struct slv_cache *, unsigned kind, uint64_t key,
    const void *value, struct slv_err *);

/* Move the value under the key to *out; it must be there. */
void slv_cache_take(struct slv_cache *, unsigned kind, uint64_t key, void *out);

/* The only value of a kind with one slot; all zeros on first use.  For values
 * without a key, such as a count.
 *
 * SLV_E_NOMEM */
enum slv_status slv_cache_only(
    struct slv_cache *, unsigned kind, void **out, struct slv_err *);

/* Drop all values. */
void slv_cache_drop(struct slv_cache *);

#endif
