/* cyber_finish.c - all is read: do header and index say what the sections
 * hold?
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

static enum slv_status
set_rebuilt(struct slv_scan *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	return end > off
	    ? slv_catalog_queue(&s->catalog, off, end - off, SLV_REBUILT, err)
	    : SLV_OK;
}

/* What all chunks together are, as the header has it. */
static void
add_up(struct cyber *c)
{
	c->n_chunks = c->n_declared = 0;
	c->span = (struct cyber_claim){ 0 };
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];
		const struct cyber_claim *claim;

		c->n_declared += item->kind == CYBER_IS_CHANNEL;
		if (item->kind != CYBER_IS_CHUNK
		    || !cyber_chunk_is_written(item))
			continue;
		claim = cyber_chunk_claim(item);
		if (c->n_chunks++ == 0)
			c->span.begin = claim->begin;
		c->span.end = claim->end;
	}
}

/* What the numbers of the header must be, and what people call them: those
 * that tell most come first. */
struct due {
	enum cyber_number tag;
	const char *name;
	uint64_t want;
};
#define DUE 8

/* Python's writer counts chunks wrong. */
static void
what_is_due(const struct slv_scan *s, struct due due[DUE])
{
	const struct cyber *c = cyber_of(s);
	uint64_t chunks = c->n_chunks;

	if (chunks > 0 && c->head.v[CYBER_N_CHUNKS] == 2 * chunks - 1)
		chunks = 2 * chunks - 1;
	const struct due all[DUE] = {
		{ CYBER_N_MESSAGES, "message_number", c->messages },
		{ CYBER_N_CHUNKS, "chunk_number", chunks },
		{ CYBER_N_CHANNELS, "channel_number", c->n_declared },
		{ CYBER_BEGIN, "begin_time", c->span.begin },
		{ CYBER_END, "end_time", c->span.end },
		{ CYBER_INDEX_POSITION, "index_position", c->index - s->base },
		{ CYBER_SIZE, "size", c->index_end - s->base },
		{ CYBER_COMPLETE, "is_complete", 1 },
	};

	memcpy(due, all, sizeof(all));
}

bool
cyber_head_holds(const struct slv_scan *s)
{
	const struct cyber *c = cyber_of(s);
	bool holds = c->head.whole;
	struct due due[DUE];

	what_is_due(s, due);
	for (size_t i = 0; i < DUE; i++)
		holds &= c->head.v[due[i].tag] == due[i].want;
	return holds;
}

bool
cyber_is_as_it_was(const struct slv_scan *s)
{
	const struct cyber *c = cyber_of(s);
	uint64_t at = s->base + CYBER_DATA_START;

	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (!item->stays || item->off != at)
			return false;
		at = cyber_item_end(item);
	}
	return at == c->index && c->index_stays && c->index_holds
	    && !c->index_ends && c->head.padded && c->head.plain
	    && cyber_head_holds(s);
}

/* The first number of the header that is wrong, and whether others are. */
static enum slv_status
tell_head(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct slv_problem p = {
		.info = &cyber_problems[CYBER_P_HEADER],
		.off = s->base,
		.len = c->head_len,
	};
	struct due due[DUE];
	unsigned n = 0;

	what_is_due(s, due);
	for (size_t i = 0; i < DUE; i++) {
		if (c->head.v[due[i].tag] == due[i].want)
			continue;
		if (n++ > 0)
			continue;
		p.want = due[i].want;
		p.got = c->head.v[due[i].tag];
		slv_problem_quote(p.name, due[i].name, strlen(due[i].name));
	}
	p.why = n > 1 ? "; others of its numbers are wrong, too" : NULL;
	return n == 0 ? SLV_OK : slv_problems_add(&s->problems, &p, err);
}

static enum slv_status
finish_head(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const uint64_t *v = c->head.v;

	if (c->head_len == 0)
		return cyber_problem(
		    s, CYBER_P_HEADER_MISSING, 0, 0, 0, 0, err);
	if (!c->head.whole)
		return SLV_OK;
	if (v[CYBER_COMPLETE] != 1 && v[CYBER_INDEX_POSITION] == 0)
		return cyber_problem(
		    s, CYBER_P_UNCLOSED, s->base, c->head_len, 0, 0, err);
	if (cyber_stated_end(s) > s->source->size && c->index_end == c->index)
		return cyber_problem(s, CYBER_P_SHORTER, s->base, c->head_len,
		    v[CYBER_SIZE], s->source->size - s->base, err);
	return tell_head(s, err);
}

static enum slv_status
finish_index(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t len = c->index_end - c->index;

	if (len == 0)
		return cyber_problem(
		    s, CYBER_P_INDEX_MISSING, c->upto, 0, 0, 0, err);
	if (!c->index_holds)
		return cyber_problem(s, CYBER_P_INDEX, c->index, len,
		    c->n_items, c->n_entries, err);
	return c->index_ends
	    ? cyber_problem(s, CYBER_P_INDEX_ENDS, c->index, len, 0, 0, err)
	    : SLV_OK;
}

/* Players skip messages of undeclared channels. */
static enum slv_status
finish_channels(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];

		s->wants_donor |= s->opt.donor == NULL
		    && (ch->contested
		        || (ch->item == SIZE_MAX && ch->messages > 0));
		if (ch->item == SIZE_MAX && ch->messages > 0)
			SLV_TRY(cyber_problem(s, CYBER_P_UNDECLARED,
			    ch->need_off, 0, i, ch->messages, err));
	}
	return SLV_OK;
}

/* What is rebuilt is not kept. */
static enum slv_status
mark_rebuilt(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	SLV_TRY(set_rebuilt(s, c->index, c->index_end, err));
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item->stays || item->kind == CYBER_IS_OTHER)
			continue;
		if (item->bodied)
			SLV_TRY(set_rebuilt(
			    s, item->body, item->body + CYBER_SECTION, err));
		SLV_TRY(set_rebuilt(s, item->off, item->end, err));
	}
	SLV_TRY(set_rebuilt(s, s->base, s->base + c->head_len, err));
	return slv_catalog_apply(&s->catalog, err);
}

static enum slv_status
compare_proof(const struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *first = s->reference->state, *c = cyber_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->messages, first->sum },
	    (struct slv_held){ c->messages, c->sum }, err);
}

enum slv_status
cyber_finish(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	s->supported = true;
	s->taken = 0;
	memset(s->lent, 0, sizeof(s->lent));
	memset(c->kin, 0, sizeof(c->kin));
	SLV_TRY(cyber_chunk_close(s, err));
	if (s->reference == NULL)
		SLV_TRY(cyber_settle(s, err));
	SLV_TRY(cyber_rescue(s, err));
	SLV_TRY(cyber_take(s, err));
	SLV_TRY(cyber_order(c, err));
	cyber_index_judge(c);
	add_up(c);
	SLV_TRY(finish_channels(s, err));
	SLV_TRY(finish_index(s, err));
	SLV_TRY(finish_head(s, err));
	if (c->index_whole && c->index_end > c->index)
		s->end = SLV_END_KNOWN;
	if (s->reference != NULL)
		return compare_proof(s, err);
	SLV_TRY(cyber_count_lost(s, err));
	SLV_TRY(cyber_deep(s, err));
	SLV_TRY(cyber_rechunk(s, err));
	add_up(c);
	return slv_scan_is_sound(s) || cyber_is_as_it_was(s)
	    ? SLV_OK
	    : mark_rebuilt(s, err);
}
