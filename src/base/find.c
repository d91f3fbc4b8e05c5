/* find.c - find bytes in memory, also where most of it is zeros. */
#include "base/find.h"

#include <string.h>

#define APART 64 /* bytes between two places that are compared, at least */
#define FEW   16 /* places that may be closer */

const uint8_t *
slv_find_bytes(const void *p, size_t n, const void *what, size_t m)
{
	const uint8_t *from = p, *mark = what;
	size_t first = 0, tried = 0;

	while (first < m && mark[first] == 0)
		first++;
	if (first == m)
		return memmem(p, n, what, m);
	/* By its first byte that is not zero; many others may be like that. */
	for (size_t at = 0; m <= n - at; at++) {
		const uint8_t *hit =
		    memchr(from + at + first, mark[first], n - at - (m - 1));

		if (hit == NULL)
			return NULL;
		hit -= first;
		if (memcmp(hit, mark, m) == 0)
			return hit;
		at = (size_t)(hit - from);
		if (++tried > FEW + at / APART)
			return memmem(hit + 1, n - at - 1, what, m);
	}
	return NULL;
}

bool
slv_is_zero(const void *p, size_t n)
{
	const uint8_t *b = p;

	return n == 0 || (b[0] == 0 && memcmp(b, b + 1, n - 1) == 0);
}
