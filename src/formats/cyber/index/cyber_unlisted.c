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
#include "formats/cyber/judge/cyber_twice.h"

/* Units between two breaks. */
struct stretch {
	uint64_t off, end;
	struct cyber_times times; /* to 0: it has no message */
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

/* Whether two headers of chunks say nothing alike: one with a flipped bit still
 * says some of what it said. */
static bool
is_unlike(const struct cyber_claim *a, const struct cyber_claim *b)
{
	return a->begin != b->begin && a->end != b->end && a->raw != b->raw;
}

/* Whether no entry of the index is of the chunk, nor another chunk like it. */
static bool
is_unlisted(const struct cyber *c, const struct cyber_item *chunk)
{
	for (size_t i = 0; i < c->n_entries; i++) {
		if (c->entries[i].type == CYBER_CHUNK_HEADER
		    && !is_unlike(&c->entries[i].claim, &chunk->claim))
			return false;
	}
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item != chunk && item->kind == CYBER_IS_CHUNK
		    && item->claims && !is_unlike(&item->claim, &chunk->claim))
			return false;
	}
	return true;
}

/* Whether the stretch has a chunk that a full index does not list, or without which
 * chunks state as many messages as the header. */
static bool
has_unlisted_chunk(const struct cyber *c, const struct stretch *x)
{
	uint64_t elsewhere = 0; /* messages */
	bool unlisted = false;

	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item->kind != CYBER_IS_CHUNK || !item->claims
		    || item->end == item->off)
			continue;
		if (item->off < x->off || item->off >= x->end)
			elsewhere += item->claim.messages;
		else
			unlisted |= is_unlisted(c, item);
	}
	return unlisted
	    && (is_full(c)
	        || (is_final(c) && elsewhere == c->head.v[CYBER_N_MESSAGES]));
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

enum slv_status
cyber_unlisted_mend(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct cyber_times all = listed_times(c);
	bool timed;

	if (c->n_breaks == 0 || c->n_breaks == CYBER_BREAKS_MAX)
		return SLV_OK;
	timed = times_hold(c, &all);
	for (size_t i = 0; i < count_stretches(c); i++) {
		struct stretch x = after_break(c, i);
		struct slv_aside a = {
			.off = x.off,
			.end = x.end,
			.fate = SLV_LOST,
			.problem = { .info =
			                 &cyber_problems[CYBER_P_UNLISTED] },
		};
		bool outside = x.times.to > 0
		    && (x.times.to < all.from || x.times.from > all.to);

		if (x.end > x.off
		    && ((timed && outside) || has_unlisted_chunk(c, &x)))
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}
