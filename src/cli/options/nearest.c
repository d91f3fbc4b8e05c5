/* nearest.c - what somebody may have meant. */
#include "cli/options/nearest.h"

#include <string.h>
#include <strings.h>

#define WORD_MAX 64

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* In ASCII: names of options, commands and findings are. */
static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

unsigned
slv_nearest_distance(const char *a, const char *b)
{
	unsigned rows[3][WORD_MAX] = { { 0 } };
	unsigned *two = rows[0], *one = rows[1], *now = rows[2];
	size_t n = strlen(a), m = strlen(b);

	if (n >= WORD_MAX || m >= WORD_MAX)
		return WORD_MAX;
	for (unsigned j = 0; j <= m; j++)
		one[j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *spare = two;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(one[j], now[j - 1]) + 1;
			now[j] = least(now[j],
			    one[j - 1] + (lower(a[i - 1]) != lower(b[j - 1])));
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2])
			    && lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = least(now[j], two[j - 2] + 1);
		}
		two = one;
		one = now;
		now = spare;
	}
	return one[m];
}

void
slv_nearest_offer(struct slv_nearest *n, const char *candidate)
{
	unsigned distance = slv_nearest_distance(n->wanted, candidate);
	size_t len = strlen(n->wanted);

	/* The start of a name is near it, however much is missing. */
	if (len >= 2 && strncasecmp(n->wanted, candidate, len) == 0)
		distance = least(distance, 1);
	if (distance > 1 + strlen(candidate) / 3)
		return;
	if (n->best == NULL || distance < n->distance) {
		n->best = candidate;
		n->distance = distance;
	}
}
