/* sort.h - qsort() for lists that may be empty, and then are NULL. */
#ifndef SLV_BASE_SORT_H
#define SLV_BASE_SORT_H

#include <stdlib.h>

static inline void
slv_sort(
    void *at, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n > 1)
		qsort(at, n, size, compare);
}

#endif
