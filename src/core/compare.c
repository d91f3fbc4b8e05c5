/* compare.c - two places of a source, byte by byte. */
#include "core/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define PIECE ((size_t)64 << 10) /* bytes compared at once */

/* How many of the n bytes at a are those at b. */
static size_t
alike(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t i = 0;

	if (memcmp(a, b, n) == 0)
		return n;
	while (a[i] == b[i])
		i++;
	return i;
}

/* How many bytes from a and from b on were never written, n at most. */
static uint64_t
unwritten(const struct slv_scan *s, uint64_t a, uint64_t b, uint64_t n)
{
	const struct slv_range *at_a = slv_ranges_from(&s->holes, a);
	const struct slv_range *at_b = slv_ranges_from(&s->holes, b);

	if (at_a == NULL || at_a->off > a || at_b == NULL || at_b->off > b)
		return 0;
	return slv_min64(n, slv_min64(at_a->end - a, at_b->end - b));
}

enum slv_status
slv_compare(const struct slv_scan *s, uint64_t a, uint64_t b, uint64_t n,
    uint64_t *same, struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, 2 * PIECE);
	enum slv_status st = SLV_OK;
	size_t piece = 0, found = 0;

	*same = 0;
	n = slv_min64(n, s->source->size - slv_max64(a, b));
	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && found == piece && *same < n) {
		uint64_t zeros = unwritten(s, a + *same, b + *same, n - *same);

		*same += zeros;
		if (zeros > 0)
			continue;
		piece = (size_t)slv_min64(PIECE, n - *same);
		if (s->opt.cancel != NULL && *s->opt.cancel)
			st = slv_fail(err, SLV_E_CANCELLED, "stopped");
		if (st == SLV_OK)
			st = slv_source_read(
			    s->source, a + *same, buf, piece, err);
		if (st == SLV_OK)
			st = slv_source_read(
			    s->source, b + *same, buf + PIECE, piece, err);
		if (st == SLV_OK) {
			found = alike(buf, buf + PIECE, piece);
			*same += found;
		}
	}
	free(buf);
	return st;
}
