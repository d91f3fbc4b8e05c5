/* carla_inherit.c - what a proof need not read again.
 *
 * If the output begins with unchanged frames of the input, another walk over
 * them would learn the same, as long as it expects the same of a frame.  What
 * frames have in common is learnt from the first ones, and the output may lack
 * some of those: a reader of the output then expects something else.
 */
#include <string.h>

#include "base/mem.h"
#include "formats/carla/carla_state.h"

/* Return true if both read a frame in the same way. */
static bool
is_alike(const struct carla_dialect *a, const struct carla_dialect *b)
{
	return a->vectors == b->vectors
	    && memcmp(a->variants, b->variants, sizeof(a->variants)) == 0
	    && a->usual == b->usual && a->always == b->always
	    && a->strict == b->strict && a->extended == b->extended;
}

/* Return true if the first scan kept everything before `end`. */
static bool
is_whole(const struct slv_catalog *all, uint64_t end)
{
	for (size_t i = 0; i < all->n && all->at[i].off < end; i++) {
		if (all->at[i].fate != SLV_KEPT)
			return false;
	}
	return true;
}

/* How many items end in the first `upto` bytes. */
static size_t
items_before(const struct carla *c, uint64_t upto)
{
	size_t n = 0;

	while (n < c->n_items && c->items[n].off + c->items[n].len <= upto)
		n++;
	return n;
}

/* The actors that frames create; later frames matter only to avoid repeated
 * notes. */
static enum slv_status
inherit_actors(
    struct carla *c, const struct carla_events *from, struct slv_err *err)
{
	struct carla_keys *k = &c->events.kept[0];

	if (from->kept[0].n == 0)
		return SLV_OK;
	SLV_TRY(
	    slv_grow(&k->at, &k->cap, from->kept[0].n, sizeof(*k->at), err));
	memcpy(k->at, from->kept[0].at, from->kept[0].n * sizeof(*k->at));
	k->n = from->kept[0].n;
	return SLV_OK;
}

enum slv_status
carla_inherit(
    struct slv_scan *s, uint64_t upto, uint64_t *end, struct slv_err *err)
{
	const struct carla *first = carla_of(s->reference);
	struct carla *c = carla_edit(s);
	size_t n = items_before(first, upto);

	*end = 0;
	if (n == 0 || !is_alike(&first->dialect, &c->dialect))
		return SLV_OK;
	*end = first->items[n - 1].off + first->items[n - 1].len;
	if (!is_whole(&s->reference->catalog, *end)) {
		*end = 0;
		return SLV_OK;
	}
	SLV_TRY(inherit_actors(c, &first->events, err));
	SLV_TRY(slv_grow(&c->items, &c->cap_items, n, sizeof(*c->items), err));
	memcpy(c->items, first->items, n * sizeof(*c->items));
	c->n_items = n;
	for (size_t i = 0; i < n; i++) {
		const struct carla_item *item = &c->items[i];

		carla_note_end(c, item);
		if (!item->is_frame)
			continue;
		c->n_frames++;
		c->sure = item->start;
		c->sum += carla_sum(&item->start, item->len);
	}
	return SLV_OK;
}
