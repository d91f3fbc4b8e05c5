/* cyber_stale.c - what is left of an older recording after this one.
 *
 * Recorders write over a file of the same name without emptying it.  So what
 * follows the end of a shorter recording reads as well as the recording
 * itself; a break is between them, and what follows it has other times, or an
 * index of its own.
 */
#include "base/list.h"
#include "formats/cyber/judge/cyber_twice.h"

#define STEP UINT64_C(100000000) /* ns: between messages of one record */

enum slv_status
cyber_break_add(struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	if (c->n_breaks == CYBER_BREAKS_MAX)
		return SLV_OK;
	return SLV_ADD(c, breaks, err,
	    (struct cyber_break){
	        .unit = c->unit,
	        .upto = c->upto,
	        .at = off,
	        .before = c->times,
	        .unsure = s->units_unsure >= c->messages,
	    });
}

static void
widen(struct cyber_times *t, uint64_t time)
{
	t->from = t->to == 0 ? time : slv_min64(t->from, time);
	t->to = slv_max64(t->to, time);
}

void
cyber_break_time(struct cyber *c, uint64_t time)
{
	widen(&c->times, time);
	if (c->n_breaks > 0)
		widen(&c->breaks[c->n_breaks - 1].behind, time);
}

/* The last section before the break that is there; NULL: none. */
static const struct cyber_item *
last_before(const struct cyber *c, const struct cyber_break *b)
{
	const struct cyber_item *last = NULL;

	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		/* What the index declares has no room of its own. */
		if (item->off < b->upto
		    && (item->kind == CYBER_IS_CHUNK || item->end > item->off))
			last = item;
	}
	return last;
}

/* Whether a channel that has messages before the break is declared after it: the
 * record is in pieces that changed places. */
static bool
is_declared_later(const struct cyber *c, const struct cyber_break *b)
{
	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];

		if (ch->messages > 0 && ch->need_off < b->upto
		    && ch->item != SIZE_MAX && c->items[ch->item].off >= b->at
		    && c->items[ch->item].end > c->items[ch->item].off)
			return true;
	}
	return false;
}

/* Whether all after the break is older than all before it, or newer by more
 * than time may leap.  The header of the chunk before it may state times of both:
 * then the clock was set in that chunk. */
static bool
is_other_time(const struct slv_scan *s, size_t i)
{
	const struct cyber *c = cyber_of(s);
	uint64_t leap = slv_min64(
	    s->opt.time_window > 0 ? s->opt.time_window : SLV_TIME_WINDOW,
	    UINT32_MAX);
	struct cyber_times before = c->breaks[i].before, behind = { 0 };

	const struct cyber_item *item = last_before(c, &c->breaks[i]);

	if (before.to > 0 && item != NULL && item->kind == CYBER_IS_CHUNK
	    && item->claims) {
		widen(&before, item->claim.begin);
		widen(&before, item->claim.end);
	}
	for (size_t k = i; k < c->n_breaks; k++) {
		if (c->breaks[k].behind.to == 0)
			continue;
		widen(&behind, c->breaks[k].behind.from);
		widen(&behind, c->breaks[k].behind.to);
	}
	/* Messages that may be of another record say nothing of this one's times. */
	if (before.to == 0 || behind.to == 0 || c->breaks[i].unsure)
		return false;
	if (behind.to < before.from)
		return before.from - behind.to > STEP
		    && !is_declared_later(c, &c->breaks[i]);
	return behind.from > before.to
	    && (behind.from - before.to) / 1000000000 >= leap;
}

/* Chunks that have a header, and those of them that the index knows; UINT64_MAX
 * and 0: there are none. */
struct named {
	uint64_t first_chunk;
	uint64_t first, last;
};

static int
compare_claims(const struct cyber_claim *a, const struct cyber_claim *b)
{
	const uint64_t x[] = { a->begin, a->end, a->messages, a->raw };
	const uint64_t y[] = { b->begin, b->end, b->messages, b->raw };

	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++) {
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	}
	return 0;
}

static int
compare_entries(const void *p, const void *q)
{
	const struct cyber_entry *a = *(const struct cyber_entry *const *)p;
	const struct cyber_entry *b = *(const struct cyber_entry *const *)q;

	return compare_claims(&a->claim, &b->claim);
}

/* Whether one of n entries, in order, knows the chunk, wherever it is: bytes
 * before it may be missing, or too many. */
static bool
is_indexed(
    const struct cyber_entry **at, size_t n, const struct cyber_item *item)
{
	struct slv_search f = { .high = n };

	while (slv_search(&f))
		slv_search_on(
		    &f, compare_claims(&at[f.mid]->claim, &item->claim) < 0);
	return f.low < n
	    && compare_claims(&at[f.low]->claim, &item->claim) == 0;
}

static enum slv_status
find_named(const struct cyber *c, struct named *out, struct slv_err *err)
{
	const struct cyber_entry **at;
	size_t n = 0;

	SLV_TRY(slv_new(&at, c->n_entries, sizeof(*at), err));
	for (size_t i = 0; i < c->n_entries; i++) {
		if (c->entries[i].type == CYBER_CHUNK_HEADER)
			at[n++] = &c->entries[i];
	}
	slv_sort(at, n, sizeof(*at), compare_entries);
	*out = (struct named){ UINT64_MAX, UINT64_MAX, 0 };
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item->kind != CYBER_IS_CHUNK || !item->claims)
			continue;
		out->first_chunk = slv_min64(out->first_chunk, item->off);
		if (!is_indexed(at, n, item))
			continue;
		out->first = slv_min64(out->first, item->off);
		out->last = slv_max64(out->last, item->off);
	}
	slv_free(at);
	return SLV_OK;
}

/* Whether the index is of what follows the break, and not of what is before
 * it. */
static bool
has_index(const struct named *x, const struct cyber_break *b)
{
	return x->first_chunk < b->at && x->first >= b->at && x->last >= b->at;
}

/* Whether it is of what is on both sides of the break: of one recording, in
 * which the clock was set. */
static bool
spans(const struct named *x, const struct cyber_break *b)
{
	return x->first < b->upto && x->last >= b->at;
}

/* Whether what ends where the break begins is whole, so that nothing of this
 * recording is in the break. */
static bool
is_clean(const struct slv_scan *s, const struct cyber_break *b)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_item *item = last_before(c, b);

	if (item == NULL)
		return b->upto == s->base + CYBER_DATA_START;
	return item->kind == CYBER_IS_CHUNK ? item->stays
	                                    : item->end == b->upto;
}

/* The last message before the break was left out, because nothing confirmed its
 * end.  Now it is known what follows it: if it is the one that its chunk lacks, it
 * is probably whole, and *end where it ends. */
static enum slv_status
find_last(struct slv_scan *s, const struct cyber_break *b, uint64_t *end,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_item *item = last_before(c, b);
	struct cyber_message m;

	if (item == NULL || item->kind != CYBER_IS_CHUNK || !item->claims
	    || !item->bodied || item->own.messages + 1 != item->claim.messages)
		return SLV_OK;
	SLV_TRY(cyber_look_message(s, b->upto, &m, err));
	if (m.read != CYBER_WHOLE
	    || item->own.raw + m.content != item->claim.raw
	    || item->bytes + cyber_message_span(&m) != item->body_size)
		return SLV_OK;
	*end = b->upto + cyber_message_span(&m);
	return SLV_OK;
}

enum slv_status
cyber_mend(
    struct slv_scan *s, bool bold, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct slv_aside a = { .end = s->source->size, .fate = SLV_FOREIGN };
	struct named named = { 0 };

	(void)bold;
	SLV_TRY(cyber_trust_pieces(s, out, err));
	/* Messages that are not of this record are not too many. */
	SLV_TRY(cyber_unlisted_mend(s, out, err));
	if (out->n_aside == 0)
		SLV_TRY(cyber_twice_mend(s, out, err));
	if (out->n_aside > 0)
		return SLV_OK;
	/* A header that was written last knows how long the file is. */
	if (c->head.whole && c->head.v[CYBER_COMPLETE] == 1
	    && cyber_stated_end(s) >= s->logical_end)
		return SLV_OK;
	if (c->n_breaks > 0)
		SLV_TRY(find_named(c, &named, err));
	for (size_t i = 0; i < c->n_breaks; i++) {
		const struct cyber_break *b = &c->breaks[i];

		if ((!is_other_time(s, i) || spans(&named, b))
		    && !has_index(&named, b))
			continue;
		a.off = is_clean(s, b) ? b->upto : b->at;
		SLV_TRY(find_last(s, b, &a.off, err));
		a.problem = (struct slv_problem){
			.info = &cyber_problems[CYBER_P_STALE],
		};
		return slv_mends_add_aside(out, &a, err);
	}
	return SLV_OK;
}
