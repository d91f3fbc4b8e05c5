/* cyber_chunk.c - the chunk that is open: what its header says, and what is
 * there.
 */
#include "base/fnv.h"
#include "base/list.h"
#include "formats/cyber/cyber_state.h"

struct cyber_item *
cyber_item_add(
    struct slv_scan *s, enum cyber_kind kind, uint64_t off, uint64_t end)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_item *item = &c->items[c->n_items++];

	*item = (struct cyber_item){ .kind = kind, .off = off, .end = end };
	return item;
}

/* What a header can state.  Python puts the first and the last time there: where
 * the clock was set back the first one is the later. */
static bool
is_sane(const struct cyber_claim *claim)
{
	return claim->raw < UINT64_C(1) << 40
	    && claim->messages < UINT64_C(1) << 32;
}

enum slv_status
cyber_chunk_open(struct slv_scan *s, uint64_t off, uint64_t end,
    const struct cyber_claim *claim, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_item *item;

	SLV_TRY(cyber_chunk_close(s, err));
	SLV_TRY(SLV_ROOM(c, items, 1, err));
	item = cyber_item_add(s, CYBER_IS_CHUNK, off, end);
	item->claims = claim != NULL && is_sane(claim);
	item->first_run = c->n_runs;
	item->body = end;
	if (claim != NULL)
		item->claim = *claim;
	c->open = true;
	return SLV_OK;
}

enum slv_status
cyber_chunk_body(
    struct slv_scan *s, uint64_t off, uint64_t size, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_item *item;

	if (!c->open || c->items[c->n_items - 1].bodied
	    || c->items[c->n_items - 1].own.messages > 0)
		SLV_TRY(cyber_chunk_open(s, off, off, NULL, err));
	item = &c->items[c->n_items - 1];
	item->bodied = true;
	item->body = off;
	item->body_size = size;
	return SLV_OK;
}

/* Whether a message after a gap is of the open chunk. */
static bool
is_ours(const struct cyber_item *item, uint64_t off, uint64_t time)
{
	uint64_t from = slv_min64(item->claim.begin, item->claim.end);
	uint64_t to = slv_max64(item->claim.begin, item->claim.end);

	if (item->claims && (time < from || time > to))
		return false;
	return item->body_size == 0
	    || off < item->body + CYBER_SECTION + item->body_size;
}

enum slv_status
cyber_item_run(struct cyber *c, struct cyber_item *item, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	struct cyber_run *last =
	    item->n_runs > 0 ? &c->runs[c->n_runs - 1] : NULL;

	item->bytes += len;
	if (last != NULL && last->off + last->len == off) {
		last->len += len;
		return SLV_OK;
	}
	SLV_TRY(SLV_ADD(c, runs, err, (struct cyber_run){ off, len }));
	item->n_runs++;
	return SLV_OK;
}

void
cyber_item_count(struct cyber_item *item, const struct cyber_message *m)
{
	if (item->own.messages++ == 0) {
		item->own.begin = UINT64_MAX;
		item->from = m->time;
	}
	item->to = m->time;
	item->own.begin = slv_min64(item->own.begin, m->time);
	item->own.end = slv_max64(item->own.end, m->time);
	item->own.raw += m->content;
}

/* Note where time does not go on: what follows may be in the file twice.  A clock
 * that was set steps farther than a repeated range, so several are noted. */
static void
note_turn(struct cyber *c, struct cyber_item *item, uint64_t off, uint64_t time)
{
	uint64_t step = c->last_time - time;
	struct cyber_turn *t = &item->turns[CYBER_TURNS - 1];

	if (time > c->last_time)
		return;
	if (step > 0) {
		t = &item->turns[0];
		for (size_t i = 1; i < CYBER_TURNS - 1; i++) {
			if (item->turns[i].step < t->step)
				t = &item->turns[i];
		}
	}
	if (t->off > 0 && step < t->step)
		return;
	*t = (struct cyber_turn){
		.off = off,
		.before = item->own.messages == 0 ? item->off : c->last_off,
		.step = step,
	};
}

/* A checksum of the fields of a message, without its content; the sum over
 * many does not depend on their order. */
static uint64_t
sum_of(const uint8_t *name, const struct cyber_message *m)
{
	uint64_t x = slv_fnv(m->time, name, m->name_len);

	x = (x ^ m->content) * UINT64_C(0xbf58476d1ce4e5b9);
	return x ^ x >> 32;
}

enum slv_status
cyber_chunk_add(struct slv_scan *s, uint64_t off, const struct cyber_message *m,
    uint32_t channel, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_channel *ch = &c->channels[channel];
	struct cyber_item *item;

	/* Nothing of this record precedes it. */
	if (c->n_items == 0)
		SLV_TRY(cyber_doubt(s, off, 0, err));
	if (!c->open
	    || (c->gap && !is_ours(&c->items[c->n_items - 1], off, m->time)))
		SLV_TRY(cyber_chunk_open(s, off, off, NULL, err));
	item = &c->items[c->n_items - 1];
	note_turn(c, item, off, m->time);
	SLV_TRY(cyber_item_run(c, item, off, cyber_message_span(m), err));
	cyber_item_count(item, m);
	if (off < c->doubted_upto) {
		item->doubted = true;
		s->units_unsure++;
	}
	if (ch->messages++ == 0) {
		ch->need_off = off;
		ch->first = m->time;
	}
	ch->first = slv_min64(ch->first, m->time);
	ch->last = slv_max64(ch->last, m->time);
	ch->bytes += m->content;
	cyber_break_time(c, m->time);
	c->last_time = m->time;
	c->last_off = off;
	c->messages++;
	c->sum += sum_of(c->texts.at + ch->name, m);
	return SLV_OK;
}

enum cyber_next
cyber_chunk_next(
    const struct cyber *c, uint64_t off, uint64_t len, uint64_t content)
{
	const struct cyber_item *item;
	const struct cyber_claim *claim, *own;
	uint64_t messages, bytes;

	if (!c->open)
		return CYBER_NEXT_ANY;
	item = &c->items[c->n_items - 1];
	claim = &item->claim;
	own = &item->own;
	if (!item->claims || !item->bodied || item->broken_head
	    || item->broken_body
	    || off != item->body + CYBER_SECTION + item->bytes
	    || claim->messages <= own->messages
	    || claim->raw < own->raw + content
	    || item->body_size < item->bytes + len)
		return CYBER_NEXT_ANY;
	messages = claim->messages - own->messages - 1;
	bytes = item->body_size - item->bytes - len;
	if (messages > 0 && bytes > 0)
		return CYBER_NEXT_MESSAGE;
	return messages == 0 && bytes == 0 && claim->raw == own->raw + content
	    ? CYBER_NEXT_SECTION
	    : CYBER_NEXT_ANY;
}

/* Whether the header says what the chunk holds: C++ puts the earliest and the
 * latest time there, Python the first and the last. */
static bool
claim_holds(const struct cyber_item *item)
{
	const struct cyber_claim *claim = &item->claim, *own = &item->own;

	return item->claims && claim->messages == own->messages
	    && claim->raw == own->raw
	    && (own->messages == 0
	        || (claim->begin == own->begin && claim->end == own->end)
	        || (claim->begin == item->from && claim->end == item->to));
}

bool
cyber_chunk_is_written(const struct cyber_item *item)
{
	return item->stays || item->own.messages > 0;
}

const struct cyber_claim *
cyber_chunk_claim(const struct cyber_item *item)
{
	return claim_holds(item) ? &item->claim : &item->own;
}

bool
cyber_chunk_is_full(const struct cyber *c, const struct cyber_item *item)
{
	return item->bodied && item->body_size == item->bytes
	    && (item->n_runs == 0
	        || (item->n_runs == 1
	            && c->runs[item->first_run].off
	                == item->body + CYBER_SECTION));
}

/* What is wrong with its two heads and is no loss. */
static enum slv_status
tell(struct slv_scan *s, const struct cyber_item *item, struct slv_err *err)
{
	bool headed = item->end > item->off;

	if (item->own.messages == 0 && !headed)
		return SLV_OK;
	if (item->claims && item->own.messages < item->claim.messages
	    && !cyber_chunk_is_full(cyber_of(s), item))
		return cyber_problem(s, CYBER_P_CHUNK_SHORT, item->off,
		    item->end - item->off, item->claim.messages,
		    item->own.messages, err);
	if (!headed)
		return cyber_problem(s, CYBER_P_CHUNK_HEADER_LOST, item->off, 0,
		    0, item->own.messages, err);
	if (!item->broken_head && !claim_holds(item))
		SLV_TRY(cyber_problem(s, CYBER_P_CHUNK_HEADER, item->off,
		    item->end - item->off, item->own.messages,
		    item->claim.messages, err));
	if (item->bodied && !item->broken_body
	    && item->body_size != item->bytes)
		return cyber_problem(s, CYBER_P_BODY_SIZE, item->body,
		    CYBER_SECTION, item->bytes, item->body_size, err);
	return SLV_OK;
}

enum slv_status
cyber_chunk_close(struct slv_scan *s, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_item *item;

	if (!c->open)
		return SLV_OK;
	c->open = false;
	item = &c->items[c->n_items - 1];
	item->stays = claim_holds(item) && !item->broken_head
	    && !item->broken_body && item->body == item->end
	    && cyber_chunk_is_full(c, item);
	return item->stays ? SLV_OK : tell(s, item, err);
}
