/* search.h - binary search for a place in a sorted list.
 *
 * Some number of first elements are before the place, and no others:
 *
 *	struct slv_search f = { .high = n };
 *
 *	while (slv_search(&f))
 *		slv_search_on(&f, list[f.mid].off < off);
 *
 * f.low is then their number: the index of the first element that is not.
 */
#ifndef SLV_BASE_SEARCH_H
#define SLV_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

struct slv_search {
	size_t low, high; /* the place is in [low, high] */
	size_t mid;       /* the element to judge */
};

/* Return true if there is an element to judge. */
static inline bool
slv_search(struct slv_search *f)
{
	f->mid = f->low + (f->high - f->low) / 2;
	return f->low < f->high;
}

/* Continue: is the element before the place? */
static inline void
slv_search_on(struct slv_search *f, bool before)
{
	if (before)
		f->low = f->mid + 1;
	else
		f->high = f->mid;
}

/* The last element before the place; 0 if there is none. */
static inline size_t
slv_search_last(const struct slv_search *f)
{
	return f->low > 0 ? f->low - 1 : 0;
}

#endif
