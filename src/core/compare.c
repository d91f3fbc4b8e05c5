/* compare.c - compare the bytes of two places. */
#include "core/compare.h"

#include <string.h>

#include "base/bytes.h"

#define PIECE ((size_t)16 << 10) /* bytes compared at once */
#define CHECK ((size_t)64 << 10) /* ... between checks for a signal */

/* How many of the n bytes at a equal those at b. */
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

enum slv_status
slv_compare_sources(struct slv_source *a, uint64_t at, struct slv_source *b,
    uint64_t off, uint64_t n, uint64_t *same, struct slv_err *err)
{
	uint8_t x[PIECE], y[PIECE];
	size_t piece = 0, found = 0;

	n = slv_min64(n, slv_min64(a->size - at, b->size - off));
	for (*same = 0; found == piece && *same < n; *same += found) {
		piece = (size_t)slv_min64(PIECE, n - *same);
		SLV_TRY(slv_source_read(a, at + *same, x, piece, err));
		SLV_TRY(slv_source_read(b, off + *same, y, piece, err));
		found = alike(x, y, piece);
	}
	return SLV_OK;
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
	struct slv_source *source = s->source;
	uint64_t piece = 0, found = 0;

	n = slv_min64(n, source->size - slv_max64(a, b));
	for (*same = 0; found == piece && *same < n; *same += found) {
		if (slv_is_cancelled(s->opt.cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		piece = found = unwritten(s, a + *same, b + *same, n - *same);
		if (piece > 0)
			continue;
		piece = slv_min64(CHECK, n - *same);
		SLV_TRY(slv_compare_sources(
		    source, a + *same, source, b + *same, piece, &found, err));
	}
	return SLV_OK;
}
