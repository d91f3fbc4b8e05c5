/* rosrecord_twice.c - a stretch that was written a second time right after
 * itself, from the middle of a record: a download that was resumed too early.
 *
 *	A B C D'A.. B C D E	D' is the beginning of D
 *
 * The second copy, up to where the first one was torn, is left out, and D is
 * whole again.  Nothing is taken for a copy but what is the same to the byte.
 */
#include <string.h>

#include "formats/rosrecord/rosrecord_state.h"

#define STRIDE 4096 /* bytes compared at once */
#define REACH  4096 /* records that are looked back */

/* How many of the n bytes at a are the same as those at b, from the first one
 * on. */
static enum slv_status
count_same(struct slv_scan *s, uint64_t a, uint64_t b, uint64_t n,
    uint64_t *same, struct slv_err *err)
{
	uint64_t end = slv_min64(n, s->source->size - slv_max64(a, b));

	for (*same = 0; *same < end;) {
		size_t len = (size_t)slv_min64(end - *same, STRIDE);
		uint8_t kept[STRIDE];
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, a + *same, len, &p, err));
		memcpy(kept, p, len);
		SLV_TRY(slv_window_view(s->window, b + *same, len, &p, err));
		for (size_t i = 0; i < len; i++, ++*same) {
			if (kept[i] != p[i])
				return SLV_OK;
		}
	}
	return SLV_OK;
}

/* Whether items[at..] is the second copy of items[from..at), after the torn
 * beginning of a record.  What is between them begins as that record, and goes
 * on as what is before the first copy. */
static enum slv_status
is_copy(
    struct slv_scan *s, size_t from, size_t at, bool *yes, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(s);
	const struct rosrec_item *first = &b->items[from];
	const struct rosrec_item *copy = &b->items[at];
	uint64_t torn = b->items[at - 1].off + b->items[at - 1].len;
	uint64_t apart = copy->off - first->off, n = copy->off - torn, same;

	*yes = false;
	if (first->len != copy->len || first->topic != copy->topic
	    || first->sec != copy->sec || first->nsec != copy->nsec)
		return SLV_OK;
	SLV_TRY(count_same(
	    s, first->off, copy->off, torn - first->off, &same, err));
	if (same < torn - first->off)
		return SLV_OK;
	SLV_TRY(count_same(s, torn, torn + apart, n, &same, err));
	if (same < n && torn + same < apart)
		return SLV_OK;
	if (same < n) {
		n -= same;
		SLV_TRY(count_same(
		    s, torn + same, torn + same - apart, n, &same, err));
	}
	*yes = same == n;
	return SLV_OK;
}

/* Leave out items[at..] up to the record that was torn, which is whole there. */
static enum slv_status
leave_copy(struct slv_scan *s, size_t from, size_t at, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	uint64_t first = b->items[from].off, begin = b->items[at].off;
	uint64_t torn = b->items[at - 1].off + b->items[at - 1].len;
	uint64_t end = begin + (torn - first);

	for (size_t i = at; i < b->n_items && b->items[i].off < end; i++) {
		struct rosrec_topic *t = &b->topics[b->items[i].topic];

		if (b->items[i].drop)
			continue;
		b->items[i].drop = true;
		if (b->items[i].is_def)
			continue;
		t->n--;
		s->units_kept--;
	}
	SLV_TRY(
	    slv_catalog_queue(&s->catalog, torn, end - torn, SLV_FILLER, err));
	return rosrec_problem(
	    s, ROSREC_P_REPEATED, torn, end - torn, first, 0, err);
}

enum slv_status
rosrec_leave_copies(struct slv_scan *s, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);

	for (size_t at = 1; at < b->n_items; at++) {
		const struct rosrec_item *last = &b->items[at - 1];
		bool yes = false;

		if (last->off + last->len >= b->items[at].off)
			continue;
		for (size_t n = 1; !yes && n <= at && n <= REACH; n++) {
			SLV_TRY(is_copy(s, at - n, at, &yes, err));
			if (yes)
				SLV_TRY(leave_copy(s, at - n, at, err));
		}
	}
	return slv_catalog_apply(&s->catalog, err);
}
