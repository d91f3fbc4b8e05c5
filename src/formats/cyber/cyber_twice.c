/* cyber_twice.c - is a range of the record in the file twice?
 *
 * A download that repeated a range leaves
 *
 *	... A B C|B C D ...
 *
 * with its seam inside a message: the first copy of it is torn there, and the
 * messages of the second copy would be duplicates.  Every byte is compared: only
 * a range that is exactly the one before it is left out.
 */
#include "formats/cyber/cyber_twice.h"

#include <string.h>

#include "base/bytes.h"

#define RANGE  ((uint64_t)3 << 19) /* bytes: longer ones are not looked for */
#define NEAR   64                  /* sections between two that are one */
#define BUDGET ((uint64_t)1 << 28) /* bytes that are searched in all */

/* What is around a break, in memory. */
struct around {
	const uint8_t *p;
	uint64_t off, end; /* of p, in the input */
};

/* How many bytes from x on are those `back` bytes before; at most n. */
static uint64_t
same_after(const struct around *w, uint64_t x, uint64_t back, uint64_t n)
{
	const uint8_t *p = w->p + (x - w->off);
	uint64_t i = 0;

	n = slv_min64(n, w->end - x);
	while (i < n && p[i] == p[(int64_t)i - (int64_t)back])
		i++;
	return i;
}

/* The same of those that end at x. */
static uint64_t
same_before(const struct around *w, uint64_t x, uint64_t back, uint64_t n)
{
	const uint8_t *p = w->p + (x - w->off);
	int64_t i = 0;

	n = slv_min64(n, x - back - w->off);
	while ((uint64_t)i < n && p[-i - 1] == p[-i - 1 - (int64_t)back])
		i++;
	return (uint64_t)i;
}

/* Whether as many bytes as `len`, of which the first is in the break, are those
 * `len` bytes before. */
static bool
is_repeat(const struct around *w, const struct cyber_break *b, uint64_t len)
{
	uint64_t before, after;

	/* The first copy begins in what is kept. */
	if (len > RANGE || b->at - b->upto > len || b->at - w->off < len)
		return false;
	before = same_before(w, b->at, len, b->at - b->upto);
	after = same_after(w, b->at, len, len);
	return before + after >= len;
}

/* How long the range is that is repeated, if the n bytes at `at` stand in [from,
 * to), too, so far apart; 0: it is none. */
static uint64_t
try_pattern(const struct around *w, const struct cyber_break *b, uint64_t at,
    size_t n, uint64_t from, uint64_t to)
{
	const uint8_t *pattern = w->p + (at - w->off);

	from = slv_max64(from, w->off);
	to = slv_min64(to, w->end);
	while (at + n <= w->end && from < to) {
		const uint8_t *p = w->p + (from - w->off);
		const uint8_t *hit = memmem(p, (size_t)(to - from), pattern, n);
		uint64_t off;

		if (hit == NULL)
			return 0;
		off = from + (uint64_t)(hit - p);
		from = off + 1;
		off = off > at ? off - at : at - off;
		if (off > 0 && is_repeat(w, b, off))
			return off;
	}
	return 0;
}

/* How many bytes that end or begin in the break are those right before them;
 * *len 0: none.  *spent: bytes that were searched. */
static enum slv_status
find(struct slv_scan *s, const struct cyber_break *b, uint64_t *spent,
    uint64_t *len, struct slv_err *err)
{
	static const size_t patterns[] = { 48, 12 }; /* bytes looked for */
	struct around w = { .off = b->at - slv_min64(b->at, RANGE) };

	*len = 0;
	w.end = slv_min64(s->source->size, b->at + RANGE);
	if (*spent > BUDGET || b->at - b->upto > RANGE || b->upto < w.off)
		return SLV_OK;
	*spent += w.end - w.off;
	SLV_TRY(slv_window_view(
	    &s->window, w.off, (size_t)(w.end - w.off), &w.p, err));
	/* What the break ends with, in the first copy; what it begins with, in
	 * the second. */
	for (size_t i = 0; *len == 0 && i < 2; i++) {
		size_t n = patterns[i];

		*len = try_pattern(&w, b, b->at, n, w.off, b->upto + n);
		if (*len == 0)
			*len =
			    try_pattern(&w, b, b->upto, n, b->upto + 1, w.end);
	}
	return SLV_OK;
}

/* Whether something from `from` to `to` is excluded already. */
static bool
is_excluded(const struct slv_mends *out, uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < out->n_aside; i++) {
		if (to >= out->aside[i].off && from < out->aside[i].end)
			return true;
	}
	return false;
}

/* Exclude the range, if there is one. */
static enum slv_status
exclude(struct slv_scan *s, const struct cyber_break *b, uint64_t *spent,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_aside a = { .off = b->upto, .fate = SLV_FILLER };
	uint64_t len;

	if (is_excluded(out, b->upto, b->at))
		return SLV_OK;
	SLV_TRY(find(s, b, spent, &len, err));
	if (len == 0)
		return SLV_OK;
	a.end = b->upto + len;
	a.problem = (struct slv_problem){
		.info = &cyber_problems[CYBER_P_TWICE],
		.got = b->upto - len,
	};
	return slv_mends_add_aside(out, &a, err);
}

/* Whether there are more messages than were counted when they were recorded, in
 * all; where nothing counts these, in the chunk; where nothing does, perhaps. */
static bool
is_too_many(const struct slv_scan *s, const struct cyber_item *item,
    const struct cyber_turn *t)
{
	const struct cyber *c = cyber_of(s);
	bool claims = !item->stays && item->claims;
	uint64_t n;

	if (claims && item->own.messages > item->claim.messages)
		return true;
	if (item->stays && t->before != item->off)
		return false;
	return cyber_total(c, &n) ? c->messages > n : !claims;
}

/* A seam between two messages tears nothing.  There time does not go on, and
 * messages are too many. */
static enum slv_status
exclude_turn(struct slv_scan *s, const struct cyber_item *item,
    const struct cyber_turn *t, uint64_t *spent, struct slv_mends *out,
    struct slv_err *err)
{
	/* The last byte before the seam may be the second copy's. */
	const struct cyber_break at[] = {
		{ .upto = t->before, .at = t->off },
		{ .upto = t->off, .at = t->off },
		{ .upto = t->before, .at = t->before },
	};

	if (t->off == 0 || !is_too_many(s, item, t))
		return SLV_OK;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		SLV_TRY(exclude(s, &at[i], spent, out, err));
	return SLV_OK;
}

/* Two chunks have one header: all of the range from the first to the second is
 * twice, as one piece that begins somewhere before the first header. */
static enum slv_status
exclude_chunks(struct slv_scan *s, uint64_t first, uint64_t second,
    uint64_t *spent, struct slv_mends *out, struct slv_err *err)
{
	uint64_t len = second - first;
	struct around w = { .off = first - slv_min64(first, len) };
	struct slv_aside a = {
		.off = first,
		.end = second,
		.fate = SLV_FILLER,
		.problem = { .info = &cyber_problems[CYBER_P_TWICE],
		    .got = second },
	};

	w.end = slv_min64(s->source->size, second + len);
	if (len > RANGE || *spent > BUDGET || is_excluded(out, first, second))
		return SLV_OK;
	*spent += w.end - w.off;
	SLV_TRY(slv_window_view(
	    &s->window, w.off, (size_t)(w.end - w.off), &w.p, err));
	if (same_before(&w, second, len, len) + same_after(&w, second, len, len)
	    < len)
		return SLV_OK;
	return slv_mends_add_aside(out, &a, err);
}

/* The last chunk before item i, of the NEAR before it, that has its header; NULL:
 * none. */
static const struct cyber_item *
same_claim(const struct cyber *c, size_t i)
{
	const struct cyber_item *item = &c->items[i];

	for (size_t k = i; k-- > 0 && i - k <= NEAR;) {
		const struct cyber_item *x = &c->items[k];

		if (x->kind == CYBER_IS_CHUNK && x->claims && item->claims
		    && x->end - x->off == item->end - item->off
		    && memcmp(&x->claim, &item->claim, sizeof(x->claim)) == 0)
			return x;
	}
	return NULL;
}

/* Exclude ranges that hold the header of a chunk, where messages are too many. */
static enum slv_status
exclude_claims(struct slv_scan *s, uint64_t *spent, struct slv_mends *out,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t n;

	if (cyber_total(c, &n) && c->messages <= n)
		return SLV_OK;
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *x = c->items[i].kind == CYBER_IS_CHUNK
		    ? same_claim(c, i)
		    : NULL;

		if (x != NULL)
			SLV_TRY(exclude_chunks(
			    s, x->off, c->items[i].off, spent, out, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_twice_mend(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t spent = 0;

	/* A chunk that is there twice explains what else seems to be. */
	SLV_TRY(exclude_claims(s, &spent, out, err));
	if (out->n_aside > 0)
		return SLV_OK;
	for (size_t i = 0; i < c->n_breaks; i++) {
		if (c->breaks[i].upto >= s->base + CYBER_DATA_START)
			SLV_TRY(exclude(s, &c->breaks[i], &spent, out, err));
	}
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		for (size_t k = 0;
		     k < CYBER_TURNS && item->kind == CYBER_IS_CHUNK; k++)
			SLV_TRY(exclude_turn(
			    s, item, &item->turns[k], &spent, out, err));
	}
	return SLV_OK;
}

bool
cyber_twice_skipped(const struct slv_scan *s, uint64_t from, uint64_t to)
{
	const struct slv_aside *a = slv_mends_aside(s->opt.mends, from);

	return a != NULL && a->off == from && a->end == to
	    && a->problem.info == &cyber_problems[CYBER_P_TWICE];
}
