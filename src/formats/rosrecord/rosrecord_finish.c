/* rosrecord_finish.c - compare all parts. */
#include "formats/rosrecord/rosrecord_state.h"

/* A hash of what a message says about itself. */
static uint64_t
sum_of(const struct rosrec *b, const struct rosrec_item *item)
{
	const struct rosrec_topic *t = &b->topics[item->topic];
	struct slv_span name = rosrec_name(b, t);
	uint64_t sum = item->len * UINT64_C(0x9e3779b97f4a7c15);

	for (size_t i = 0; i < name.len; i++)
		sum = (sum ^ name.at[i]) * UINT64_C(0x100000001b3);
	sum ^= (uint64_t)item->sec << 32 | item->nsec;
	return sum * UINT64_C(0xff51afd7ed558ccd);
}

/* What the repaired bag holds. */
static void
sum_up(struct rosrec *b)
{
	b->planned = b->planned_sum = 0;
	for (size_t i = 0; i < b->n_items; i++) {
		const struct rosrec_item *item = &b->items[i];
		struct rosrec_topic *t = &b->topics[item->topic];
		struct slv_moment at = { item->sec, item->nsec, true };

		if (item->is_def || item->drop)
			continue;
		b->planned++;
		b->planned_sum += sum_of(b, item);
		slv_moment_span(at, &t->first, &t->last);
	}
}

static enum slv_status
compare_proof(struct slv_scan *s, struct slv_err *err)
{
	const struct rosrec *first = rosrec_of(s->reference);
	const struct rosrec *b = rosrec_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ b->planned, b->planned_sum }, err);
}

/* Leave an item out. */
static enum slv_status
drop(struct slv_scan *s, struct rosrec_item *item, enum slv_fate fate,
    struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	item->drop = true;
	b->index_stays = false;
	if (!item->is_def) {
		b->topics[item->topic].n--;
		s->units_kept--;
		if (fate == SLV_LOST)
			slv_scan_lose(s, 1, &item->topic);
	}
	return slv_catalog_queue(&s->catalog, item->off, item->len, fate, err);
}

/* If the index names everything else, a message that it does not name does not
 * belong to this bag: a payload carries it, or it is a duplicate. */
static enum slv_status
leave_unlisted(struct slv_scan *s, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	for (size_t i = 0; i < b->n_items; i++) {
		struct rosrec_item *item = &b->items[i];
		const struct rosrec_topic *t = &b->topics[item->topic];

		if (item->is_def || item->drop || item->listed
		    || t->named != t->listed || (t->def_own && !t->indexed))
			continue;
		SLV_TRY(rosrec_problem(
		    s, ROSREC_P_UNLISTED, item->off, item->len, 0, 0, err));
		SLV_TRY(drop(s, item, SLV_FOREIGN, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Messages that no reader understands: readers stop at any of them. */
static enum slv_status
leave_undefined(struct slv_scan *s, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	for (size_t i = 0; i < b->n_items; i++) {
		struct rosrec_item *item = &b->items[i];

		if (!item->drop && !item->is_def
		    && !b->topics[item->topic].usable)
			SLV_TRY(drop(s, item, SLV_LOST, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Drop the definitions at the end of the bag.  A definition directly precedes a
 * message: the last one shows that its message is missing, and no reader needs it.
 * There are several if the messages between them are lost. */
static enum slv_status
leave_last_definitions(struct slv_scan *s, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	if (b->index_stays)
		return SLV_OK;
	for (size_t i = b->n_items; i > 0; i--) {
		struct rosrec_item *last = &b->items[i - 1];

		if (last->drop)
			continue;
		if (!last->is_def)
			break;
		s->absent = s->lost_loose = true;
		SLV_TRY(rosrec_problem(
		    s, ROSREC_P_CUT, last->off, last->len, 0, 0, err));
		SLV_TRY(drop(s, last, SLV_LOST, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Where the recording ended, and whether everything up to there is here. */
static enum slv_status
judge_end(struct slv_scan *s, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	const struct rosrec_item *last =
	    b->n_items > 0 ? &b->items[b->n_items - 1] : NULL;
	uint64_t index;

	if (b->index_whole || b->index_stays
	    || (b->has_header && last != NULL
	        && last->off + last->len == b->index_pos))
		s->end = SLV_END_KNOWN;
	index = b->n_lists > 0 ? b->lists[0].off : s->logical_end;
	if (!b->has_header || b->index_pos <= index
	    || (s->end == SLV_END_KNOWN && b->n_lists == 0))
		return SLV_OK;
	s->absent = s->lost_loose = true;
	return rosrec_problem(s, ROSREC_P_SHORT, index, 0, b->index_pos,
	    b->index_pos - index, err);
}

/* Messages that only the index names. */
static enum slv_status
judge_gone(struct slv_scan *s, uint64_t gone, struct slv_err *err)
{
	if (gone == 0)
		return SLV_OK;
	s->absent = true;
	if (gone > s->units_lost)
		slv_scan_lose(s, gone - s->units_lost, NULL);
	return rosrec_problem(
	    s, ROSREC_P_GONE, rosrec_of(s)->lists[0].off, 0, 0, gone, err);
}

/* If the index names no missing message, bytes that are not a record held
 * none. */
static enum slv_status
excuse_rest(struct slv_scan *s, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);

	if (!b->index_whole || b->n_items == 0)
		return SLV_OK;
	for (size_t i = 0; i < b->n_topics; i++) {
		const struct rosrec_topic *t = &b->topics[i];

		if (t->named != t->n || (t->n > 0 && !t->usable))
			return SLV_OK;
	}
	s->units_lost = 0;
	s->lost_loose = false;
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate == SLV_LOST)
			SLV_TRY(slv_catalog_queue(
			    &s->catalog, x->off, x->len, SLV_FILLER, err));
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* What happens to the header and the index. */
static enum slv_status
judge_index(struct slv_scan *s, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	uint64_t off = b->n_lists > 0 ? b->lists[0].off : s->logical_end;

	if (!b->has_line && (b->n_items == 0 || b->items[0].off == 0))
		SLV_TRY(rosrec_problem(s, ROSREC_P_LINE, 0, 0, 0, 0, err));
	if (!b->with_index || b->index_stays)
		return SLV_OK;
	for (size_t i = 0; i < b->n_lists; i++)
		SLV_TRY(slv_catalog_queue(&s->catalog, b->lists[i].off,
		    b->lists[i].len, SLV_REBUILT, err));
	if (b->has_header)
		SLV_TRY(slv_catalog_queue(&s->catalog, ROSREC_MAGIC_SIZE,
		    ROSREC_HEADER_LEN, SLV_REBUILT, err));
	SLV_TRY(slv_catalog_apply(&s->catalog, err));
	return rosrec_problem(s,
	    b->n_lists == 0 ? ROSREC_P_NO_INDEX : ROSREC_P_INDEX_WRONG, off, 0,
	    0, 0, err);
}

enum slv_status
rosrec_finish(struct slv_scan *s, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	uint64_t gone;

	s->supported = true;
	b->with_index =
	    b->has_header || b->spoilt_header || b->n_lists > 0 || !b->has_line;
	SLV_TRY(rosrec_leave_copies(s, err));
	SLV_TRY(rosrec_index_check(s, &gone, err));
	if (b->index_whole && !slv_scan_is_sound(s))
		SLV_TRY(leave_unlisted(s, err));
	SLV_TRY(rosrec_settle_types(s, err));
	SLV_TRY(leave_undefined(s, err));
	SLV_TRY(leave_last_definitions(s, err));
	SLV_TRY(judge_end(s, err));
	SLV_TRY(judge_gone(s, gone, err));
	SLV_TRY(judge_index(s, err));
	SLV_TRY(excuse_rest(s, err));
	sum_up(b);
	if (s->reference != NULL)
		return compare_proof(s, err);
	if (b->planned > 0 || (b->has_header && slv_scan_is_sound(s)))
		return SLV_OK;
	s->absent = s->lost_loose = true;
	return rosrec_problem(
	    s, ROSREC_P_NOTHING, 0, s->source->size, 0, 0, err);
}
