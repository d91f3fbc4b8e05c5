/* subset.c - a part of an archive per run, for several nights. */
#include "batch/find/subset.h"

#include <stdlib.h>
#include <string.h>

#include "batch/find/shard.h"

#define HEAPS  10000 /* for shares: hundredths of a percent */
#define DIGITS "0123456789"

/* "5%" or "0.25%" in hundredths of a percent, 0: it is not a share. */
static uint64_t
percent(const char *text)
{
	size_t whole = strspn(text, DIGITS), more = 0;
	uint64_t n = 0;

	if (whole == 0 || whole > 3)
		return 0;
	if (text[whole] == '.')
		more = strspn(text + whole + 1, DIGITS);
	if (more > 2 || (text[whole] == '.' && more == 0)
	    || strcmp(text + whole + (more > 0 ? more + 1 : 0), "%") != 0)
		return 0;
	n = strtoull(text, NULL, 10) * 100;
	for (size_t i = 0, each = 10; i < more; i++, each /= 10)
		n += (uint64_t)(text[whole + 1 + i] - '0') * each;
	return n <= HEAPS ? n : 0;
}

bool
slv_subset_parse(const char *text, uint64_t day, struct slv_subset *out)
{
	struct slv_shard part;
	uint64_t n = percent(text);

	if (n > 0) {
		*out = (struct slv_subset){ day % HEAPS * n % HEAPS, n, HEAPS,
			true };
		return true;
	}
	if (strspn(text, DIGITS) == 0 || !slv_shard_parse(text, &part))
		return false;
	*out = (struct slv_subset){ part.i - 1, 1, part.n, false };
	return true;
}

bool
slv_subset_has(const struct slv_subset *s, const char *name)
{
	/* The final steps of David Stafford's variant 13 of MurmurHash3: a
	 * shard must not be the whole of a part. */
	uint64_t h = slv_shard_hash(name), heap;

	if (s->of == 0)
		return true;
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
	h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
	h ^= h >> 31;
	heap = h % s->of;
	return (heap + s->of - s->from) % s->of < s->n;
}
