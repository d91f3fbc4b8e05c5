/* cyber_lost.c - how many messages are missing.
 *
 * The index counts them for every channel and every chunk, the header for the
 * whole record, and the header of a chunk for that: so mostly the number is
 * exact, even where no byte is left.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/cyber/judge/cyber_twice.h"
#include "formats/cyber/read/cyber_unit.h"

/* How many messages the index knows of; false: it contradicts itself. */
static bool
index_total(const struct cyber *c, uint64_t *n)
{
	*n = c->indexed[CYBER_CHUNK_HEADER];
	return c->index_end > c->index && c->index_whole
	    && *n == c->indexed[CYBER_CHUNK_BODY];
}

/* The same of the header, which is believed where its bytes are whole. */
static bool
head_total(const struct cyber *c, uint64_t *n)
{
	*n = c->head.v[CYBER_N_MESSAGES];
	return c->head.whole && c->head.v[CYBER_COMPLETE] == 1;
}

bool
cyber_total(const struct cyber *c, uint64_t *n)
{
	return index_total(c, n) || head_total(c, n);
}

/* The same of the headers of the chunks, if all that is lost was in chunks
 * that have one. */
static bool
chunk_total(const struct slv_scan *s, uint64_t *n)
{
	const struct cyber *c = cyber_of(s);
	const struct slv_catalog *cat = &s->catalog;
	size_t k = 0;

	*n = 0;
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];
		uint64_t end = item->body + CYBER_SECTION + item->body_size;

		if (item->kind != CYBER_IS_CHUNK)
			continue;
		if (!item->claims && !cyber_chunk_is_full(c, item))
			return false;
		/* Of a chunk without a body none is there. */
		*n += item->claims && !cyber_chunk_is_full(c, item)
		    ? slv_max64(item->claim.messages, item->own.messages)
		    : item->own.messages;
		for (; k < cat->n && cat->at[k].off < end; k++) {
			bool inside = item->claims && item->body_size > 0
			    && cat->at[k].off >= item->body
			    && cat->at[k].len <= end - cat->at[k].off;

			if (cat->at[k].fate == SLV_LOST && !inside)
				return false;
		}
	}
	for (; k < cat->n; k++) {
		if (cat->at[k].fate == SLV_LOST)
			return false;
	}
	return true;
}

/* Every message is there: what was lost held none. */
static enum slv_status
excuse(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_channels; i++) {
		if (c->channels[i].item == SIZE_MAX
		    && c->channels[i].messages > 0)
			return SLV_OK;
	}
	for (size_t i = 0; i < s->catalog.n; i++) {
		struct slv_extent x = s->catalog.at[i];

		if (x.fate == SLV_LOST)
			SLV_TRY(slv_catalog_queue(
			    &s->catalog, x.off, x.len, SLV_REBUILT, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* The walk has counted a lost declaration as a message. */
static void
uncount_channels(struct slv_scan *s)
{
	for (size_t i = 0; i < s->n_kinds; i++) {
		if (strcmp(s->kinds[i].kind, cyber_kinds[CYBER_TAG_CHANNEL])
		    == 0)
			s->units_lost -= s->kinds[i].lost;
	}
	s->lost_loose |= s->units_lost > 0;
}

enum slv_status
cyber_count_lost(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	bool hit = s->catalog.sums[SLV_LOST] > 0
	    || cyber_stated_end(s) > s->source->size;
	bool indexed, counted;
	uint64_t n;

	indexed = index_total(c, &n);
	/* What was before a file that lacks its header only the index knows. */
	if (!indexed && c->head_len == 0)
		s->absent = s->lost_loose = true;
	counted = indexed || (hit && head_total(c, &n));
	if ((!counted && (c->head_len == 0 || !chunk_total(s, &n)))
	    || n < c->messages) {
		uncount_channels(s);
		return SLV_OK;
	}
	s->units_lost = n - c->messages;
	s->lost_loose = false;
	s->lost_mixed |= s->units_lost > 1;
	s->absent |= s->units_lost > 0 && s->catalog.sums[SLV_LOST] == 0;
	if (indexed && s->units_lost > 0)
		SLV_TRY(cyber_problem(s, CYBER_P_MISSING, c->index,
		    c->index_end - c->index, n, c->messages, err));
	return counted && s->units_lost == 0 ? excuse(s, err) : SLV_OK;
}

/* The channels of which the index knows messages that are not there, and how
 * many; at: room for all of them.  Returns how many channels that are. */
static size_t
missing_each(const struct cyber *c, struct slv_gap_count *at)
{
	size_t n = 0;

	/* Backwards: of two entries the first one is believed. */
	for (size_t i = c->n_entries; i-- > 0;) {
		const struct cyber_entry *e = &c->entries[i];
		uint64_t there;
		uint32_t k;

		if (e->type != CYBER_CHANNEL
		    || !cyber_channel_known(
		        c, c->texts.at + e->spec.name, e->spec.name_len, &k))
			continue;
		there = c->channels[k].messages;
		at[k].n = slv_max64(e->claim.messages, there) - there;
	}
	for (size_t k = 0; k < c->n_channels; k++) {
		if (at[k].n > 0)
			at[n++] =
			    (struct slv_gap_count){ (uint32_t)k, at[k].n };
	}
	return n;
}

/* How many messages are missing in the chunk around a gap, which must be the
 * only one in it; false: that is not known. */
static bool
missing_around(const struct cyber *c, const struct slv_gap_list *list, size_t i,
    uint64_t *n)
{
	uint64_t off = list->at[i].off, end = off + list->at[i].len;

	for (size_t k = 0; k < c->n_items; k++) {
		const struct cyber_item *item = &c->items[k];
		uint64_t from = item->body;
		uint64_t to = from + CYBER_SECTION + item->body_size;

		if (item->kind != CYBER_IS_CHUNK || !item->claims
		    || !item->bodied || off < from || end > to)
			continue;
		*n = slv_max64(item->claim.messages, item->own.messages)
		    - item->own.messages;
		return (i == 0 || list->at[i - 1].off < from)
		    && (i + 1 == list->n || list->at[i + 1].off >= to);
	}
	return false;
}

/* All that is missing is of one channel: tell of each gap how much, where the
 * headers of the chunks say so of all. */
static enum slv_status
tell_each(const struct slv_scan *s, struct slv_gap_list *list, uint32_t channel,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t all = 0, n;

	for (size_t i = 0; i < list->n; i++) {
		if (!missing_around(c, list, i, &n))
			return SLV_OK;
		all += n;
	}
	for (size_t i = 0; all == s->units_lost && i < list->n; i++) {
		struct slv_gap_count one = { .channel = channel };

		(void)missing_around(c, list, i, &one.n);
		SLV_TRY(slv_gap_told(list, i, &one, 1, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_missing(
    struct slv_scan *s, struct slv_gap_list *list, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct slv_gap_count *counts;
	uint64_t all = 0, n;
	size_t n_counts;
	enum slv_status st = SLV_OK;

	if (list->n == 0 || list->total != list->n || c->n_channels == 0
	    || !index_total(c, &n))
		return SLV_OK;
	SLV_TRY(slv_new(&counts, c->n_channels, sizeof(*counts), err));
	n_counts = missing_each(c, counts);
	for (size_t i = 0; i < n_counts; i++)
		all += counts[i].n;
	/* Of which channels what was lost in one of several gaps was, nobody
	 * knows, unless it is one. */
	if (all == s->units_lost && n_counts == 1 && list->n > 1)
		st = tell_each(s, list, counts[0].channel, err);
	else if (all == s->units_lost && n_counts > 0 && list->n == 1)
		st = slv_gap_told(list, 0, counts, n_counts, err);
	slv_free(counts);
	return st;
}
