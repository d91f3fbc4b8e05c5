/* cyber_finish.c - all is read: do header and index say what the sections
 * hold?
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

static enum slv_status
set_rebuilt(struct slv_scan *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	return end > off
	    ? slv_catalog_set(&s->catalog, off, end - off, SLV_REBUILT, err)
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

/* Python's writer counts chunks wrong, and is not alone with its idea of the
 * times. */
bool
cyber_head_holds(const struct slv_scan *s)
{
	const struct cyber *c = cyber_of(s);
	const uint64_t *v = c->head.v;
	uint64_t chunks = v[CYBER_N_CHUNKS];

	return c->head.whole && v[CYBER_COMPLETE] == 1
	    && v[CYBER_INDEX_POSITION] == c->index
	    && v[CYBER_SIZE] == c->index_end
	    && (chunks == c->n_chunks
	        || (chunks > 0 && chunks == 2 * c->n_chunks - 1))
	    && v[CYBER_N_CHANNELS] == c->n_declared
	    && v[CYBER_N_MESSAGES] == c->messages
	    && v[CYBER_BEGIN] == c->span.begin && v[CYBER_END] == c->span.end;
}

static enum slv_status
finish_head(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const uint64_t *v = c->head.v;

	if (c->head_len == 0 || !c->head.whole)
		return SLV_OK;
	if (v[CYBER_COMPLETE] != 1 && v[CYBER_INDEX_POSITION] == 0)
		return cyber_problem(
		    s, CYBER_P_UNCLOSED, 0, c->head_len, 0, 0, err);
	if (v[CYBER_SIZE] > s->source->size && c->index_end == c->index)
		return cyber_problem(s, CYBER_P_SHORTER, 0, c->head_len,
		    v[CYBER_SIZE], s->source->size, err);
	return cyber_head_holds(s)
	    ? SLV_OK
	    : cyber_problem(s, CYBER_P_HEADER, 0, c->head_len, c->messages,
	        v[CYBER_N_MESSAGES], err);
}

static enum slv_status
finish_index(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_of(s);
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

/* Players pass by messages whose channel nobody declares. */
static enum slv_status
finish_channels(struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];

		if (ch->item == SIZE_MAX && ch->messages > 0)
			SLV_TRY(cyber_problem(s, CYBER_P_UNDECLARED,
			    ch->need_off, 0, i, ch->messages, err));
	}
	return SLV_OK;
}

/* What is made anew is not kept.  Backwards, because neighbours merge. */
static enum slv_status
mark_rebuilt(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_of(s);

	SLV_TRY(set_rebuilt(s, c->index, c->index_end, err));
	for (size_t i = c->n_items; i-- > 0;) {
		const struct cyber_item *item = &c->items[i];

		if (item->stays || item->kind == CYBER_IS_OTHER)
			continue;
		if (item->bodied)
			SLV_TRY(set_rebuilt(
			    s, item->body, item->body + CYBER_SECTION, err));
		SLV_TRY(set_rebuilt(s, item->off, item->end, err));
	}
	return set_rebuilt(s, 0, c->head_len, err);
}

/* The proof must find every message that the plan keeps, and no other. */
static enum slv_status
compare_proof(const struct slv_scan *s, struct slv_err *err)
{
	const struct cyber *first = s->reference->state, *c = cyber_of(s);

	if (c->messages == first->messages && c->sum == first->sum)
		return SLV_OK;
	return slv_fail(err, SLV_E_BUG,
	    "the plan holds %llu messages, not the %llu that were kept",
	    (unsigned long long)c->messages,
	    (unsigned long long)first->messages);
}

enum slv_status
cyber_finish(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_of(s);

	s->supported = true;
	s->taken = 0;
	memset(s->lent, 0, sizeof(s->lent));
	SLV_TRY(cyber_chunk_close(s, err));
	if (s->reference == NULL)
		SLV_TRY(cyber_settle(s, err));
	SLV_TRY(cyber_rescue(s, err));
	SLV_TRY(cyber_take(s, err));
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
	return slv_scan_is_sound(s) ? SLV_OK : mark_rebuilt(s, err);
}
