/* sort.h - sort and search lists that may be empty, and are then NULL. */
#ifndef SLV_BASE_SORT_H
#define SLV_BASE_SORT_H

#include <signal.h>
#include <stdlib.h>

#include "base/status.h"

typedef int slv_compare_fn(const void *, const void *);

static inline void
slv_sort(void *at, size_t n, size_t size, slv_compare_fn *compare)
{
	if (n > 1)
		qsort(at, n, size, compare);
}

/* The element of a sorted list that is equal to `key`; NULL: none is. */
static inline void *
slv_find_sorted(const void *key, const void *at, size_t n, size_t size,
    slv_compare_fn *compare)
{
	return n > 0 ? bsearch(key, at, n, size, compare) : NULL;
}

/* slv_sort() for lists as long as the file: a signal stops it in a few
 * milliseconds.  It needs as much additional memory as the list has.
 *
 *   cancel  NULL: cannot be cancelled
 *
 * SLV_E_NOMEM; SLV_E_CANCELLED: *cancel is not 0, the order is undefined */
enum slv_status slv_sort_long(void *at, size_t n, size_t size,
    slv_compare_fn *compare, const volatile sig_atomic_t *cancel,
    struct slv_err *);

#endif
