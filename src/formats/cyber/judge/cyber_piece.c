/* cyber_piece.c - messages that were passed by as a piece that another message
 * carries: are they of this record all the same?
 *
 * Parts of a file that changed places break off as carried pieces do.  But each
 * time is recorded once: what is of this record lies in the times that the header
 * of a chunk, or the index, states, and fills a hole in the times of the messages
 * that are there.  Of few messages that would be true by chance.
 */
#include "base/list.h"
#include "formats/cyber/judge/cyber_twice.h"

#define FEW       6                   /* messages that prove nothing */
#define TIMES_MAX ((uint64_t)1 << 20) /* messages whose times are compared */

SLV_ORDER(compare_times, struct cyber_place, time)

static bool
covers(const struct cyber_claim *claim, const struct cyber_piece *x)
{
	return x->times.from >= slv_min64(claim->begin, claim->end)
	    && x->times.to <= slv_max64(claim->begin, claim->end);
}

/* Whether a chunk states times of which these are some. */
static bool
is_stated(const struct cyber *c, const struct cyber_piece *x)
{
	for (size_t i = 0; i < c->n_items; i++) {
		const struct cyber_item *item = &c->items[i];

		if (item->kind == CYBER_IS_CHUNK && item->claims
		    && item->own.messages + x->messages <= item->claim.messages
		    && covers(&item->claim, x))
			return true;
	}
	for (size_t i = 0; i < c->n_entries; i++) {
		if (c->entries[i].type == CYBER_CHUNK_HEADER
		    && covers(&c->entries[i].claim, x))
			return true;
	}
	return false;
}

/* Whether no message that is there, and no other piece, is of these times. */
static bool
fills_hole(const struct cyber *c, const struct cyber_places *t,
    const struct cyber_piece *x)
{
	size_t at =
	    SLV_FROM(struct cyber_place, time, t->at, t->n, x->times.from);

	if (at < t->n && t->at[at].time <= x->times.to)
		return false;
	for (size_t i = 0; i < c->n_pieces; i++) {
		const struct cyber_piece *other = &c->pieces[i];

		if (other->off != x->off && other->times.from <= x->times.to
		    && other->times.to >= x->times.from)
			return false;
	}
	return true;
}

static enum slv_status
trust(struct slv_scan *s, struct cyber_places *t, struct slv_mends *out,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_runs; i++)
		SLV_TRY(cyber_list_run(s, &c->runs[i], t, err));
	slv_sort(t->at, t->n, sizeof(*t->at), compare_times);
	for (size_t i = 0; i < c->n_pieces; i++) {
		const struct cyber_piece *x = &c->pieces[i];

		if (x->messages >= FEW && is_stated(c, x)
		    && fills_hole(c, t, x))
			SLV_TRY(slv_ranges_add(&out->trusted, x->off, 1, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_trust_pieces(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct cyber_places t = { 0 };
	enum slv_status st;

	if (c->n_pieces == 0 || c->messages > TIMES_MAX)
		return SLV_OK;
	st = trust(s, &t, out, err);
	slv_free(t.at);
	return st;
}
