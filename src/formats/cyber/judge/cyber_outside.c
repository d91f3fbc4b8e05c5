/* cyber_outside.c - are messages none of the chunk that they are found in, by their times?
 *
 * The header of a chunk states the first and the last time of its messages.  Some writers
 * state those of the first and the last message instead, which other times, if they are in
 * no order, show.
 */
#include "formats/cyber/judge/cyber_outside.h"

/* The chunk that is being read, if all that it states of its messages can be read;
 * or NULL. */
static const struct cyber_item *
stated_chunk(const struct cyber *c)
{
	const struct cyber_item *item =
	    c->n_items > 0 ? &c->items[c->n_items - 1] : NULL;

	return item != NULL && c->open && item->claims && item->bodied
	        && !item->broken_head && !item->broken_body
	    ? item
	    : NULL;
}

/* Whether some times are not among those that the chunk states. */
static bool
is_outside(const struct cyber_item *item, const struct cyber_chain *c)
{
	const struct cyber_claim *claim = &item->claim, *own = &item->own;

	return c->messages > 0 && claim->begin <= claim->end
	    && (own->messages == 0
	        || (own->begin >= claim->begin && own->end <= claim->end))
	    && (c->times.from < claim->begin || c->times.to > claim->end);
}

/* Whether the header of the record says that it has messages of these times: then they
 * may be of another chunk of it. */
static bool
is_of_record(const struct cyber *c, const struct cyber_chain *chain)
{
	uint64_t from = c->head.v[CYBER_BEGIN], to = c->head.v[CYBER_END];

	return from > 0 && chain->times.from >= from && chain->times.to <= to;
}

enum slv_status
cyber_is_of_no_chunk(const struct slv_scan *s, uint64_t mark,
    const struct cyber_chain *c, bool *yes, struct slv_err *err)
{
	const struct cyber_item *item = stated_chunk(cyber_of(s));
	struct cyber_section k;
	uint64_t end;

	*yes = item != NULL && c->broken && c->messages > 0;
	if (!*yes)
		return SLV_OK;
	end = item->body + CYBER_SECTION + item->body_size;
	*yes = mark < end && c->end < end && end <= s->source->size
	    && is_outside(item, c) && !is_of_record(cyber_of(s), c);
	if (!*yes || end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(cyber_look_section(s, end, &k, err));
	*yes = k.agrees;
	return SLV_OK;
}
