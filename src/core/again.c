/* again.c - the log once more, behind itself. */
#include "core/again.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

#define PIECE ((size_t)64 << 10) /* bytes compared at once */

/* How many of the n bytes at a are those at b. */
static size_t
same(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t i = 0;

	if (memcmp(a, b, n) == 0)
		return n;
	while (a[i] == b[i])
		i++;
	return i;
}

/* Where the bytes from off on stop being those from the start of the log on. */
static enum slv_status
compare(struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, 2 * PIECE);
	enum slv_status st = SLV_OK;
	size_t n = 0, alike = 0;

	*end = off;
	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && alike == n && *end < s->source->size) {
		n = (size_t)slv_min64(PIECE, s->source->size - *end);
		if (s->opt.cancel != NULL && *s->opt.cancel)
			st = slv_fail(err, SLV_E_CANCELLED, "stopped");
		if (st == SLV_OK)
			st = slv_source_read(
			    s->source, *end - off + s->base, buf, n, err);
		if (st == SLV_OK)
			st = slv_source_read(
			    s->source, *end, buf + PIECE, n, err);
		if (st == SLV_OK) {
			alike = same(buf, buf + PIECE, n);
			*end += alike;
		}
	}
	free(buf);
	return st;
}

enum slv_status
slv_again(struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct slv_unit u = { 0 };

	SLV_TRY(compare(s, off, end, err));
	if (slv_ranges_hit(&s->source->unreadable, 0, *end)) {
		*end = off;
		return SLV_OK;
	}
	if (*end >= s->logical_end)
		return SLV_OK;
	/* What follows the last copy must be another log: a longer one of the
	 * same recording is more than a copy. */
	*end -= (*end - s->base) % (off - s->base);
	if (*end > off)
		SLV_TRY(s->format->unit(s, *end, SLV_ASK_STRANGER, &u, err));
	if (!u.whole_log)
		*end = off;
	return SLV_OK;
}
