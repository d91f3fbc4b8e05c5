/* count.c - whole numbers as people read them. */
#include "base/text/count.h"

#include <inttypes.h>
#include <stdio.h>

struct slv_count
slv_count(uint64_t n)
{
	struct slv_count c;
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n);
	size_t put = 0;

	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			c.text[put++] = ',';
		c.text[put++] = digits[i];
	}
	c.text[put] = '\0';
	return c;
}
