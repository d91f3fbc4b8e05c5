/* surplus.c - bytes that one copy has twice, and another, which is whole, once. */
#include "core/surplus.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

#define PIECE ((size_t)64 << 10) /* bytes compared at once */

/* Two places whose bytes are compared. */
struct pair {
	struct slv_source *source[2];
	uint8_t *buf; /* owned; two PIECEs */
};

/* How many of n bytes are the same, from the first on; n ends with a source. */
static enum slv_status
count_same(const struct pair *p, uint64_t a, uint64_t b, uint64_t n,
    uint64_t *same, struct slv_err *err)
{
	n = slv_min64(n, p->source[0]->size - a);
	n = slv_min64(n, p->source[1]->size - b);
	for (*same = 0; *same < n;) {
		size_t len = (size_t)slv_min64(PIECE, n - *same), i = 0;

		SLV_TRY(
		    slv_source_read(p->source[0], a + *same, p->buf, len, err));
		SLV_TRY(slv_source_read(
		    p->source[1], b + *same, p->buf + PIECE, len, err));
		while (i < len && p->buf[i] == p->buf[PIECE + i])
			i++;
		*same += i;
		if (i < len)
			break;
	}
	return SLV_OK;
}

/* Whether each of the n bytes of a source at `off` is the one n before or n after
 * it: the first ones are those after, the others those before. */
static enum slv_status
repeats(const struct pair *p, uint64_t off, uint64_t n, bool *yes,
    struct slv_err *err)
{
	uint64_t after, before;

	*yes = false;
	SLV_TRY(count_same(p, off, off + n, n, &after, err));
	if (after == n) {
		*yes = true;
		return SLV_OK;
	}
	if (off + after < n)
		return SLV_OK;
	SLV_TRY(count_same(
	    p, off + after, off + after - n, n - after, &before, err));
	*yes = after + before == n;
	return SLV_OK;
}

/* Whether the bytes of the whole copy are those of the other one but for `more`,
 * which are at *off of that. */
static enum slv_status
find_more(const struct pair *p, const struct slv_stretch *s, int of,
    uint64_t more, uint64_t *off, bool *yes, struct slv_err *err)
{
	uint64_t len = s->len[!of], first, last;

	SLV_TRY(count_same(p, s->off[of], s->off[!of], len, &first, err));
	*off = s->off[of] + first;
	SLV_TRY(count_same(
	    p, *off + more, s->off[!of] + first, len - first, &last, err));
	*yes = first + last == len;
	return SLV_OK;
}

enum slv_status
slv_is_surplus(const struct slv_copy *const copy[2],
    const struct slv_stretch *s, int of, bool *yes, struct slv_err *err)
{
	const struct slv_copy *whole = copy[!of];
	struct pair p = {
		.source = { copy[of]->source, whole->source },
	};
	uint64_t more = s->len[of] - s->len[!of], off;
	enum slv_status st;

	*yes = false;
	if (s->len[of] <= s->len[!of] || whole->mended != NULL
	    || !slv_scan_is_sound(&whole->scan)
	    || whole->scan.end == SLV_END_UNKNOWN)
		return SLV_OK;
	p.buf = slv_realloc(NULL, 2 * PIECE);
	if (p.buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = find_more(&p, s, of, more, &off, yes, err);
	p.source[1] = p.source[0];
	if (st == SLV_OK && *yes)
		st = repeats(&p, off, more, yes, err);
	free(p.buf);
	return st;
}
