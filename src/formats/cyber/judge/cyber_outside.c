/* cyber_outside.c - are messages none of the chunk that they are found in, by their times?
 *
 * The header of a chunk states the first and the last time of its messages.
 */
#include "formats/cyber/judge/cyber_outside.h"

#define TRIES  64                    /* places where messages may go on */
#define MINUTE UINT64_C(60000000000) /* ns */

/* Whether all times are more than a minute away from the last message and from the next
 * one that leads to the section at `end`. */
static enum slv_status
is_far(const struct slv_scan *s, const struct cyber_chain *c, uint64_t end,
    bool *yes, struct slv_err *err)
{
	uint64_t low = cyber_of(s)->last_time, high = low, at = c->end + 1;
	struct cyber_chain next = { .broken = true };

	for (unsigned i = 0; i < TRIES && at < end && next.broken; i++) {
		SLV_TRY(cyber_chain_mark(s, at, end, &at, err));
		if (at == end)
			break;
		SLV_TRY(cyber_chain_follow(s, at, end, &next, err));
		next.broken |= next.messages == 0;
		at = slv_max64(next.end, at + 1);
	}
	*yes = !next.broken;
	if (!*yes)
		return SLV_OK;
	low = slv_min64(low, next.times.from);
	high = slv_max64(high, next.times.to);
	*yes = c->times.from > high + MINUTE || c->times.to + MINUTE < low;
	return SLV_OK;
}

const struct cyber_item *
cyber_stated_chunk(const struct cyber *c)
{
	const struct cyber_item *item =
	    c->n_items > 0 ? &c->items[c->n_items - 1] : NULL;

	return item != NULL && c->open && item->claims && item->bodied
	        && !item->broken_head && !item->broken_body
	    ? item
	    : NULL;
}

bool
cyber_is_outside(const struct cyber_item *item, const struct cyber_chain *c)
{
	const struct cyber_claim *claim = &item->claim;

	return c->messages > 0
	    && (c->times.from < slv_min64(claim->begin, claim->end)
	        || c->times.to > slv_max64(claim->begin, claim->end));
}

enum slv_status
cyber_is_of_no_chunk(const struct slv_scan *s, uint64_t mark,
    const struct cyber_chain *c, bool *yes, struct slv_err *err)
{
	const struct cyber_item *item = cyber_stated_chunk(cyber_of(s));
	struct cyber_section k;
	uint64_t end;

	*yes = item != NULL && c->broken && c->messages > 0;
	if (!*yes)
		return SLV_OK;
	end = item->body + CYBER_SECTION + item->body_size;
	*yes = mark < end && c->end < end;
	if (*yes && end < s->logical_end) {
		SLV_TRY(cyber_look_section(s, end, &k, err));
		*yes = k.agrees;
	}
	if (!*yes || cyber_is_outside(item, c))
		return SLV_OK;
	*yes = item->own.messages > 0 && end <= s->logical_end;
	return *yes ? is_far(s, c, end, yes, err) : SLV_OK;
}
