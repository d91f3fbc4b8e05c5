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

enum slv_status
slv_compare(struct slv_scan *s, uint64_t a, uint64_t b, uint64_t n,
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
