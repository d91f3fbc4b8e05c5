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
#include "formats/cyber/judge/cyber_twice.h"

#include "base/bytes.h"
#include "base/find.h"
#include "base/list.h"

#define RANGE  ((uint64_t)3 << 19) /* bytes: longer ones are not looked for */
#define NEAR   64                  /* sections between two that are one */
#define LISTED ((uint64_t)1 << 20) /* messages of a chunk, at most */
#define BUDGET ((uint64_t)1 << 28) /* bytes, searched and compared in all */

/* What is around a break, in memory. */
struct around {
	const uint8_t *p;
	uint64_t off, end; /* of p, in the input */
};

/* What was done so far. */
struct search {
	uint64_t spent;             /* bytes that were searched and compared */
	struct slv_ranges excluded; /* owned; those of the asides */
};

/* How many bytes from x on equal those `back` bytes before them; at most n. */
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

/* The same for the bytes that end at x. */
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

/* Whether a range of `len` bytes, which begins in the break, equals the `len` bytes
 * before it. */
static bool
is_repeat(const struct around *w, const struct cyber_break *b, uint64_t len,
    struct search *f)
{
	uint64_t before, after;

	/* The first copy must begin in kept bytes. */
	if (len > RANGE || b->at - b->upto > len || b->at - w->off < len)
		return false;
	before = same_before(w, b->at, len, b->at - b->upto);
	after = same_after(w, b->at, len, len);
	f->spent += before + after;
	return before + after >= len;
}

/* Search for the n bytes at `at` in [from, to).  Returns their distance if a range of
 * that length is repeated at the break; else 0. */
static uint64_t
try_pattern(const struct around *w, const struct cyber_break *b, uint64_t at,
    size_t n, uint64_t from, uint64_t to, struct search *f)
{
	const uint8_t *pattern = w->p + (at - w->off);

	from = slv_max64(from, w->off);
	to = slv_min64(to, w->end);
	while (at + n <= w->end && from < to && f->spent <= BUDGET) {
		const uint8_t *p = w->p + (from - w->off);
		const uint8_t *hit =
		    slv_find_bytes(p, (size_t)(to - from), pattern, n);
		uint64_t off;

		if (hit == NULL)
			return 0;
		off = from + (uint64_t)(hit - p);
		from = off + 1;
		off = off > at ? off - at : at - off;
		if (off > 0 && is_repeat(w, b, off, f))
			return off;
	}
	return 0;
}

/* Find a range that ends or begins in the break and equals the bytes directly before
 * it.  *len: its length; 0: none. */
static enum slv_status
find(struct slv_scan *s, const struct cyber_break *b, struct search *f,
    uint64_t *len, struct slv_err *err)
{
	static const size_t patterns[] = { 48, 12 }; /* bytes looked for */
	struct around w = { .off = b->at - slv_min64(b->at, RANGE) };

	*len = 0;
	w.end = slv_min64(s->source->size, b->at + RANGE);
	if (f->spent > BUDGET || b->at - b->upto > RANGE || b->upto < w.off)
		return SLV_OK;
	f->spent += w.end - w.off;
	SLV_TRY(slv_window_view(
	    s->window, w.off, (size_t)(w.end - w.off), &w.p, err));
	/* Search for the bytes after the break in the first copy, then for those
	 * at its beginning in the second. */
	for (size_t i = 0; *len == 0 && i < 2; i++) {
		size_t n = patterns[i];

		*len = try_pattern(&w, b, b->at, n, w.off, b->upto + n, f);
		if (*len == 0)
			*len = try_pattern(
			    &w, b, b->upto, n, b->upto + 1, w.end, f);
	}
	return SLV_OK;
}

/* Whether any byte from `from` to `to` is already excluded. */
static bool
is_excluded(const struct search *f, uint64_t from, uint64_t to)
{
	return slv_ranges_hit(&f->excluded, from, to - from + 1);
}

static enum slv_status
add(struct search *f, const struct slv_aside *a, struct slv_mends *out,
    struct slv_err *err)
{
	SLV_TRY(slv_ranges_add(&f->excluded, a->off, a->end - a->off, err));
	return slv_mends_add_aside(out, a, err);
}

/* Exclude the `len` bytes from b->upto on. */
static enum slv_status
exclude_range(const struct cyber_break *b, uint64_t len, struct search *f,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_aside a = {
		.off = b->upto,
		.end = b->upto + len,
		.fate = SLV_FILLER,
		.problem = { .info = &cyber_problems[CYBER_P_TWICE],
		    .got = b->upto - len },
	};

	return add(f, &a, out, err);
}

/* Exclude the duplicate range at a break, if there is one. */
static enum slv_status
exclude(struct slv_scan *s, const struct cyber_break *b, struct search *f,
    struct slv_mends *out, struct slv_err *err)
{
	/* The end of the unit before the break may be of the second copy. */
	const struct cyber_break wide = { .upto = b->unit, .at = b->at };
	uint64_t len;

	if (is_excluded(f, b->upto, b->at))
		return SLV_OK;
	SLV_TRY(find(s, b, f, &len, err));
	if (len > 0)
		return exclude_range(b, len, f, out, err);
	if (wide.upto < s->base + CYBER_DATA_START)
		return SLV_OK;
	SLV_TRY(find(s, &wide, f, &len, err));
	return len > 0 ? exclude_range(&wide, len, f, out, err) : SLV_OK;
}

/* The surplus over what the recorder has counted. */
struct excess {
	bool known; /* something counts it */
	bool sized; /* ... its bytes, too */
	uint64_t messages, raw;
};

/* The surplus of the chunk, if its header shows one; else that of the record. */
static struct excess
find_excess(const struct slv_scan *s, const struct cyber_item *item,
    const struct cyber_turn *t)
{
	const struct cyber *c = cyber_of(s);
	struct excess x = { .known = true };
	uint64_t n;

	/* Messages in the payload of another one may be the surplus. */
	if (item->doubted)
		return x;

	if (!item->stays && item->claims) {
		x.sized = item->own.raw >= item->claim.raw;
		x.raw = x.sized ? item->own.raw - item->claim.raw : 0;
		n = item->claim.messages;
		x.messages = x.sized && item->own.messages > n
		    ? item->own.messages - n
		    : 0;
		if (x.messages > 0)
			return x;
	}
	x.sized = false;
	/* An unchanged chunk has no surplus messages, unless all of it is
	 * surplus. */
	if (item->stays && t->before != item->off)
		return x;
	x.known = cyber_total(c, &n);
	x.messages = x.known && c->messages > n ? c->messages - n : 0;
	return x;
}

/* Whether a range can be the surplus; whole messages must be as many. */
static enum slv_status
is_excess(struct slv_scan *s, uint64_t off, uint64_t len,
    const struct excess *x, bool *yes, struct slv_err *err)
{
	uint64_t end = off + len, messages = 0, raw = 0;

	while (off < end) {
		struct cyber_message m;

		SLV_TRY(cyber_look_message(s, off, &m, err));
		if (m.read != CYBER_WHOLE)
			break;
		off += cyber_message_span(&m);
		raw += m.content;
		messages++;
	}
	*yes = off != end
	    || (messages == x->messages && (!x->sized || raw == x->raw));
	return SLV_OK;
}

/* A seam between two messages damages none.  But time does not advance there, and
 * there are surplus messages. */
static enum slv_status
exclude_turn(struct slv_scan *s, const struct cyber_item *item,
    const struct cyber_turn *t, struct search *f, struct slv_mends *out,
    struct slv_err *err)
{
	/* The last byte before the seam may be the second copy's. */
	const struct cyber_break at[] = {
		{ .upto = t->before, .at = t->off },
		{ .upto = t->off, .at = t->off },
		{ .upto = t->before, .at = t->before },
	};
	struct excess x = find_excess(s, item, t);

	if (t->off == 0 || (x.known ? x.messages == 0 : item->claims))
		return SLV_OK;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		uint64_t len = 0;
		bool yes = true;

		if (!is_excluded(f, at[i].upto, at[i].at))
			SLV_TRY(find(s, &at[i], f, &len, err));
		if (len > 0 && x.known)
			SLV_TRY(is_excess(s, at[i].upto, len, &x, &yes, err));
		if (len > 0 && yes)
			return exclude_range(&at[i], len, f, out, err);
	}
	return SLV_OK;
}

enum slv_status
cyber_list_run(struct slv_scan *s, const struct cyber_run *run,
    struct cyber_places *out, struct slv_err *err)
{
	for (uint64_t off = run->off; off < run->off + run->len;) {
		struct cyber_message m;

		SLV_TRY(cyber_look_message(s, off, &m, err));
		if (m.read != CYBER_WHOLE)
			return SLV_OK;
		SLV_TRY(SLV_ADD_AT(out, err,
		    (struct cyber_place){
		        .off = off,
		        .end = off + cyber_message_span(&m),
		        .time = m.time,
		        .content = m.content,
		    }));
		off += cyber_message_span(&m);
	}
	return SLV_OK;
}

/* Whether as many messages as are too many are, from at[i] on, those right before
 * it.  The range may begin inside a message, and end as far in another one: then the
 * one before at[i] begins as the one and ends as the other, and goes with it.
 *
 *   *from  where what is too much begins */
static enum slv_status
is_seam(struct slv_scan *s, const struct cyber_places *p, size_t i,
    const struct excess *x, struct search *f, uint64_t *from, bool *yes,
    struct slv_err *err)
{
	size_t k = (size_t)x->messages;
	const struct cyber_place *first = &p->at[i - k], *second = &p->at[i];
	uint64_t len = second->off - first->off, before, after;
	struct around w = { .off = i > k ? first[-1].off : first->off,
		.end = second->off + len };

	*yes = first->time == second->time && len <= RANGE && f->spent < BUDGET
	    && slv_range_in(second->off, len, s->source->size)
	    && w.end - w.off <= SLV_WINDOW_MAX;
	if (!*yes)
		return SLV_OK;
	f->spent += len;
	SLV_TRY(slv_window_view(
	    s->window, w.off, (size_t)(w.end - w.off), &w.p, err));
	after = same_after(&w, second->off, len, len);
	before =
	    same_before(&w, second->off, len, second->off - second[-1].off);
	*from = after == len ? second->off : second[-1].off;
	*yes = after + before >= len;
	return SLV_OK;
}

/* The range between two messages that is in the chunk twice, of as many messages
 * and bytes as its header counts too few.
 *
 *   torn  one that begins inside a message: messages may as well have been
 *         recorded twice */
static enum slv_status
find_counted(struct slv_scan *s, const struct cyber_places *p,
    const struct excess *x, bool torn, struct search *f, struct slv_mends *out,
    bool *done, struct slv_err *err)
{
	for (size_t k = (size_t)x->messages, i = k; i < p->n; i++) {
		uint64_t len = p->at[i].off - p->at[i - k].off;
		struct cyber_break b = { .upto = 0 };
		bool yes;

		SLV_TRY(is_seam(s, p, i, x, f, &b.upto, &yes, err));
		b.at = b.upto;
		yes = yes && torn == (b.at < p->at[i].off);
		if (yes)
			SLV_TRY(is_excess(s, b.at, len, x, &yes, err));
		*done = yes && !is_excluded(f, b.at, b.at + len);
		if (*done)
			return exclude_range(&b, len, f, out, err);
	}
	return SLV_OK;
}

static enum slv_status
exclude_counted(struct slv_scan *s, const struct cyber_item *item,
    struct search *f, struct slv_mends *out, bool *done, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_turn none = { .off = 0 };
	struct excess x = find_excess(s, item, &none);
	struct cyber_places p = { 0 };
	enum slv_status st = SLV_OK;

	if (!x.sized || x.messages == 0 || x.messages > item->own.messages / 2
	    || item->own.messages > LISTED)
		return SLV_OK;
	for (size_t i = 0; st == SLV_OK && i < item->n_runs; i++)
		st = cyber_list_run(s, &c->runs[item->first_run + i], &p, err);
	for (int torn = 1; st == SLV_OK && torn >= 0 && !*done; torn--)
		st = find_counted(s, &p, &x, torn, f, out, done, err);
	slv_free(p.at);
	return st;
}

/* Two chunks have one header: all of the range from the first to the second is
 * twice, as one piece that begins somewhere before the first header. */
static enum slv_status
exclude_chunks(struct slv_scan *s, uint64_t first, uint64_t second,
    struct search *f, struct slv_mends *out, struct slv_err *err)
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
	if (len > RANGE || f->spent > BUDGET || is_excluded(f, first, second))
		return SLV_OK;
	f->spent += w.end - w.off;
	SLV_TRY(slv_window_view(
	    s->window, w.off, (size_t)(w.end - w.off), &w.p, err));
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
exclude_claims(struct slv_scan *s, struct search *f, struct slv_mends *out,
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
			    s, x->off, c->items[i].off, f, out, err));
	}
	return SLV_OK;
}

static enum slv_status
exclude_all(struct slv_scan *s, struct search *f, struct slv_mends *out,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	/* A chunk that is there twice explains what else seems to be. */
	SLV_TRY(exclude_claims(s, f, out, err));
	if (out->n_aside == 0)
		SLV_TRY(cyber_copies_mend(s, out, err));
	if (out->n_aside > 0)
		return SLV_OK;
	for (size_t i = 0; i < c->n_breaks; i++) {
		if (c->breaks[i].upto >= s->base + CYBER_DATA_START)
			SLV_TRY(exclude(s, &c->breaks[i], f, out, err));
	}
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];
		bool done = item->kind != CYBER_IS_CHUNK;

		if (!done)
			SLV_TRY(exclude_counted(s, item, f, out, &done, err));
		for (size_t k = 0; k < CYBER_TURNS && !done; k++)
			SLV_TRY(exclude_turn(
			    s, item, &item->turns[k], f, out, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_twice_mend(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct search f = { 0 };
	enum slv_status st = exclude_all(s, &f, out, err);

	slv_ranges_free(&f.excluded);
	return st;
}

bool
cyber_twice_skipped(const struct slv_scan *s, uint64_t from, uint64_t to)
{
	const struct slv_aside *a = slv_mends_aside(s->opt.mends, from);

	return a != NULL && a->off == from && a->end == to
	    && a->problem.info == &cyber_problems[CYBER_P_TWICE];
}
