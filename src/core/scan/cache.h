/* cache.h - what a driver has worked out about places of the input and may want
 * again soon.
 *
 * No answer depends on it: what is not there any more is worked out again, with
 * the same result.  So unit() and vouch() may use it, which change nothing else;
 * an accept() that changes what cached values depend on drops them.
 * Its one other use is to count work that a driver bounds, such as bytes that were
 * decoded: a bound that is reached ends a search or the job, and a count that is
 * dropped begins at 0.
 *
 * Memory: a few slots of a fixed size for each kind of thing, and what the values
 * in them own, of which the driver bounds each.
 */
#ifndef SLV_CORE_CACHE_H
#define SLV_CORE_CACHE_H

#include "base/status.h"

#define SLV_CACHE_KINDS 4 /* that a driver may have */
#define SLV_CACHE_SLOTS 2 /* values of a kind, at most */

/* What a driver keeps of one kind; size 0 ends its list. */
struct slv_cache_kind {
	size_t size;                   /* bytes of a value */
	unsigned slots;                /* 1 .. SLV_CACHE_SLOTS */
	void (*release)(void *values); /* free what it owns; NULL: nothing */
};

/* The values of one kind. */
struct slv_cache_shelf {
	uint8_t *values;                /* owned; NULL: none yet */
	uint64_t keys[SLV_CACHE_SLOTS]; /* key + 1; 0: no value is there */
	unsigned last;                  /* which was used last */
};

struct slv_cache {
	uint64_t searched; /* bytes looked at for where the log goes on */
	const struct slv_cache_kind *kinds; /* static; NULL: keep nothing */
	struct slv_cache_shelf shelves[SLV_CACHE_KINDS];
};

/* The value of that kind that was kept under the key, mostly an offset; borrowed
 * until the next slv_cache_claim() of its kind.  NULL: there is none. */
static inline void *
slv_cache_find(struct slv_cache *c, unsigned kind, uint64_t key)
{
	struct slv_cache_shelf *shelf = &c->shelves[kind];

	for (unsigned i = 0; i < SLV_CACHE_SLOTS; i++) {
		if (shelf->keys[i] == key + 1) {
			shelf->last = i;
			return shelf->values + i * c->kinds[kind].size;
		}
	}
	return NULL;
}

/* Room for a value, in place of the one that was used least: it is still in there,
 * for whoever wants its memory, and the caller frees what it owns.  All zeros where
 * none was.
 *
 * SLV_E_NOMEM */
enum slv_status slv_cache_claim(
    struct slv_cache *, unsigned kind, void **out, struct slv_err *);

/* The value in that room is what is kept under the key. */
void slv_cache_keep(
    struct slv_cache *, unsigned kind, void *room, uint64_t key);

/* Move the value that is kept under the key to *out; it must be there. */
void slv_cache_take(struct slv_cache *, unsigned kind, uint64_t key, void *out);

/* The only value of a kind with one slot; all zeros when nobody has asked for it
 * before.  For what has no key, such as a count.
 *
 * SLV_E_NOMEM */
enum slv_status slv_cache_only(
    struct slv_cache *, unsigned kind, void **out, struct slv_err *);

/* Drop all values. */
void slv_cache_drop(struct slv_cache *);

#endif
