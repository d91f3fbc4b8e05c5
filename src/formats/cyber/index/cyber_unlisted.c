/* cyber_unlisted.c - units that the index and the header of a closed record know
 * nothing of.
 *
 * A message may carry a piece of another record.  Where the head of that message
 * is lost, the units of the piece are found after the damage, and nothing in front
 * of them shows that they are carried.  They break off where the content ends.
 * The index lists all chunks of this record, and the header counts its messages: a
 * stretch that breaks off and is of times that no chunk states, or has the header of
 * a chunk that is none of these, is not of this record.
 */
#include "base/list.h"
#include "formats/cyber/judge/cyber_twice.h"

/* Units between two breaks. */
struct stretch {
	uint64_t off, end;
	struct cyber_times times; /* to 0: it has no message */
	uint64_t messages;        /* that its chunks state */
	bool unlisted; /* nothing else says anything like one of them */
};

#define NUMBERS 3 /* of a claim: begin, end and raw */

/* What the index and the headers of chunks say: each of the numbers, in order. */
struct said {
	uint64_t *at[NUMBERS]; /* owned */
	size_t n;
};

/* Whether the header is the one that the recorder wrote last. */
static bool
is_final(const struct cyber *c)
{
	return c->head.whole && c->head.v[CYBER_COMPLETE] == 1;
}

/* Whether no entry of the index is missing: what it says of chunks and of channels
 * adds up to the same. */
static bool
is_full(const struct cyber *c)
{
	uint64_t n = c->indexed[CYBER_CHUNK_HEADER];

	return c->index_whole && n > 0 && c->indexed[CYBER_CHUNK_BODY] == n
	    && c->indexed[CYBER_CHANNEL] == n;
}

/* The times that the index lists. */
static struct cyber_times
listed_times(const struct cyber *c)
{
	struct cyber_times t = { UINT64_MAX, 0 };

	for (size_t i = 0; i < c->n_entries; i++) {
		const struct cyber_claim *x = &c->entries[i].claim;

		if (c->entries[i].type != CYBER_CHUNK_HEADER)
			continue;
		t.from = slv_min64(t.from, slv_min64(x->begin, x->end));
		t.to = slv_max64(t.to, slv_max64(x->begin, x->end));
	}
	return t;
}

static bool
is_within(const struct cyber_times *t, const struct cyber_times *all)
{
	return t->to == 0 || (t->from >= all->from && t->to <= all->to);
}

static void
say(struct said *x, const struct cyber_claim *claim)
{
	x->at[0][x->n] = claim->begin;
	x->at[1][x->n] = claim->end;
	x->at[2][x->n++] = claim->raw;
}

static int
compare_numbers(const void *p, const void *q)
{
	const uint64_t *a = p, *b = q;

	return SLV_ORDER_OF(*a, *b);
}

static enum slv_status
find_said(const struct cyber *c, struct said *x, struct slv_err *err)
{
	for (size_t i = 0; i < NUMBERS; i++)
		SLV_TRY(slv_new(&x->at[i], c->n_entries + c->n_items,
		    sizeof(*x->at[i]), err));
	for (size_t i = 0; i < c->n_entries; i++) {
		if (c->entries[i].type == CYBER_CHUNK_HEADER)
			say(x, &c->entries[i].claim);
	}
	for (size_t i = 0; i < c->n_items; i++) {
		if (c->items[i].kind == CYBER_IS_CHUNK && c->items[i].claims)
			say(x, &c->items[i].claim);
	}
	for (size_t i = 0; i < NUMBERS; i++)
		slv_sort(x->at[i], x->n, sizeof(*x->at[i]), compare_numbers);
	return SLV_OK;
}

/* Whether something else says one of the numbers of a chunk's header: one with a
 * flipped bit still says some of what it said. */
static bool
is_said_again(const struct said *x, const struct cyber_claim *claim)
{
	const uint64_t own[NUMBERS] = { claim->begin, claim->end, claim->raw };

	for (size_t i = 0; i < NUMBERS; i++) {
		size_t k = slv_from(
		    x->at[i], x->n, sizeof(own[i]), 0, sizeof(own[i]), own[i]);

		if (k + 1 < x->n && x->at[i][k + 1] == own[i])
			return true;
	}
	return false;
}

/* The stretch that the offset is in; NULL: none. */
static struct stretch *
stretch_at(struct stretch *at, size_t n, uint64_t off)
{
	size_t i = SLV_FROM(struct stretch, off, at, n, off + 1);

	return i > 0 && off < at[i - 1].end ? &at[i - 1] : NULL;
}

/* What is in each stretch; *all: messages that chunks state. */
static void
count_chunks(const struct cyber *c, const struct said *said, struct stretch *at,
    size_t n, uint64_t *all)
{
	*all = 0;
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];
		struct stretch *x;

		if (item->kind != CYBER_IS_CHUNK || !item->claims
		    || item->end == item->off)
			continue;
		*all += item->claim.messages;
		x = stretch_at(at, n, item->off);
		if (x == NULL)
			continue;
		x->messages += item->claim.messages;
		x->unlisted |= !is_said_again(said, &item->claim);
	}
}

/* Whether the stretch has a chunk that a full index does not list, or without which
 * chunks state as many messages as the header. */
static bool
has_unlisted_chunk(const struct cyber *c, const struct stretch *x, uint64_t all)
{
	return x->unlisted
	    && (is_full(c)
	        || (is_final(c)
	            && all - x->messages == c->head.v[CYBER_N_MESSAGES]));
}

/* How many stretches follow a break and break off: the last one does where the
 * file ends without an index. */
static size_t
count_stretches(const struct cyber *c)
{
	return c->n_breaks - (c->index < c->index_end);
}

/* The units after break i, up to the next one or the end. */
static struct stretch
after_break(const struct cyber *c, size_t i)
{
	return (struct stretch){
		.off = c->breaks[i].at,
		.end = i + 1 < c->n_breaks ? c->breaks[i + 1].upto : c->upto,
		.times = c->breaks[i].behind,
	};
}

/* Whether the times that the index lists are those of all messages that are not in
 * doubt: some writers state those of the first and of the last message. */
static bool
times_hold(const struct cyber *c, const struct cyber_times *all)
{
	const struct cyber_times *first = &c->breaks[0].before;
	struct cyber_times last = { 0 };

	if (!is_full(c))
		return false;
	if (count_stretches(c) < c->n_breaks)
		last = c->breaks[c->n_breaks - 1].behind;
	return (first->to > 0 || last.to > 0) && is_within(first, all)
	    && is_within(&last, all);
}

/* Exclude the stretches that are not of this record. */
static enum slv_status
exclude(const struct cyber *c, const struct stretch *at, size_t n,
    uint64_t messages, struct slv_mends *out, struct slv_err *err)
{
	struct cyber_times all = listed_times(c);
	bool timed = times_hold(c, &all);

	for (size_t i = 0; i < n; i++) {
		const struct stretch *x = &at[i];
		struct slv_aside a = {
			.off = x->off,
			.end = x->end,
			.fate = SLV_LOST,
			.problem = { .info =
			                 &cyber_problems[CYBER_P_UNLISTED] },
		};
		bool outside = x->times.to > 0
		    && (x->times.to < all.from || x->times.from > all.to);

		if (x->end > x->off
		    && ((timed && outside)
		        || has_unlisted_chunk(c, x, messages)))
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_unlisted_mend(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct said said = { .n = 0 };
	struct stretch *at = NULL;
	size_t n = count_stretches(c);
	uint64_t messages;
	enum slv_status st;

	if (c->n_breaks == 0 || c->n_breaks == CYBER_BREAKS_MAX)
		return SLV_OK;
	st = slv_new(&at, n, sizeof(*at), err);
	if (st == SLV_OK)
		st = find_said(c, &said, err);
	if (st == SLV_OK) {
		for (size_t i = 0; i < n; i++)
			at[i] = after_break(c, i);
		count_chunks(c, &said, at, n, &messages);
		st = exclude(c, at, n, messages, out, err);
	}
	for (size_t i = 0; i < NUMBERS; i++)
		slv_free(said.at[i]);
	slv_free(at);
	return st;
}
