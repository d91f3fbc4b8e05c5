/* rosrecord_twice.c - a range that was written again from the middle of a
 * record: a download that was resumed too early.
 *
 *	A B C D'A.. B C D E	D' is the beginning of D
 *
 * The second copy, up to where the first one was cut, is left out, and D is
 * whole again.  Only bytes that are exactly equal count as a copy.
 */
#include "base/bytes.h"
#include "core/compare.h"
#include "formats/rosrecord/rosrecord_state.h"

#define REACH       4096 /* records that are looked back */
#define EFFORT      8    /* bytes compared, for one of the file, ... */
#define EFFORT_BASE ((uint64_t)16 << 20) /* ... and for small files */
#define LEAST       512 /* bytes that a comparison costs at least */

/* Bytes that may still be compared.  Records that are all alike have as many
 * copies as there are pairs of them. */
struct looking {
	struct slv_scan *scan;
	uint64_t budget;
};

/* How many of the n bytes at a equal those at b, from the first one on. */
static enum slv_status
count_same(struct looking *l, uint64_t a, uint64_t b, uint64_t n,
    uint64_t *same, struct slv_err *err)
{
	SLV_TRY(slv_compare(l->scan, a, b, slv_min64(n, l->budget), same, err));
	l->budget -= slv_min64(*same + LEAST, l->budget);
	return SLV_OK;
}

/* Return true if items[at..] is the second copy of items[from..at), after the
 * cut beginning of a record.  The bytes between them begin like that record,
 * and continue like those before the first copy. */
static enum slv_status
is_copy(
    struct looking *l, size_t from, size_t at, bool *yes, struct slv_err *err)
{
	const struct rosrec *b = rosrec_of(l->scan);
	const struct rosrec_item *first = &b->items[from];
	const struct rosrec_item *copy = &b->items[at];
	uint64_t torn = b->items[at - 1].off + b->items[at - 1].len;
	uint64_t apart = copy->off - first->off, n = copy->off - torn, same;

	*yes = false;
	if (first->len != copy->len || first->topic != copy->topic
	    || first->sec != copy->sec || first->nsec != copy->nsec
	    || !slv_range_in(torn, apart, l->scan->source->size))
		return SLV_OK;
	SLV_TRY(count_same(l, torn, torn + apart, n, &same, err));
	if (same < n && torn + same < apart)
		return SLV_OK;
	if (same < n) {
		n -= same;
		SLV_TRY(count_same(
		    l, torn + same, torn + same - apart, n, &same, err));
	}
	if (same < n)
		return SLV_OK;
	n = torn - first->off;
	SLV_TRY(count_same(l, first->off, copy->off, n, &same, err));
	*yes = same == n;
	return SLV_OK;
}

/* Leave out items[at..] up to the record that was cut, which is whole there. */
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
	const struct rosrec *b = rosrec_of(s);
	uint64_t written = s->source->size - slv_ranges_sum(&s->holes);
	struct looking l = { s, EFFORT * written + EFFORT_BASE };

	for (size_t at = 1; at < b->n_items; at++) {
		const struct rosrec_item *last = &b->items[at - 1];
		size_t most = slv_min64(slv_min64(at, REACH), l.budget);
		bool yes = false;

		if (last->off + last->len >= b->items[at].off)
			continue;
		SLV_TRY(slv_scan_go_on(s, err));
		l.budget -= most;
		for (size_t n = 1; !yes && n <= most; n++) {
			SLV_TRY(is_copy(&l, at - n, at, &yes, err));
			if (yes)
				SLV_TRY(leave_copy(s, at - n, at, err));
		}
	}
	return slv_catalog_apply(&s->catalog, err);
}
