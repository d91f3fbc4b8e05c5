/* cyber_carried.c - is what follows a gap a piece of a record in a content?
 *
 * A message may carry a piece of another record, as those of a download logger
 * do, and after damage to that message the search finds the units of the piece.
 * The damaged message still states its length, the header of the chunk how many
 * bytes and messages follow; and the units of a piece break off where the
 * content ends.
 */
#include "base/mem.h"
#include "core/compare.h"
#include "formats/cyber/judge/cyber_outside.h"
#include "formats/cyber/read/cyber_unit.h"

#define TRIES      64                   /* sections that may be the next one */
#define REACH      ((uint64_t)16 << 20) /* bytes to that */
#define SCAN       ((uint64_t)64 << 20) /* bytes searched for carried pieces */
#define PIECES_MAX 4096
#define FEW        15 /* zeros that may end a message */

/* Bytes that may be viewed to find where lost messages end by their chunks: for
 * each byte of the file, and of a small one. */
#define BOOKED      64
#define BOOKED_BASE ((uint64_t)8 << 20)

/* Whether units from `mark` or a later place on lead to the section. */
static enum slv_status
leads_to(const struct slv_scan *s, uint64_t mark, uint64_t section, bool *yes,
    struct slv_err *err)
{
	*yes = false;
	for (unsigned i = 0; i < TRIES && mark < section; i++) {
		struct cyber_chain c;

		SLV_TRY(cyber_chain_follow(s, mark, section, &c, err));
		*yes = !c.broken;
		if (*yes)
			return SLV_OK;
		SLV_TRY(cyber_chain_mark(
		    s, slv_max64(c.end, mark + 1), section, &mark, err));
	}
	*yes = mark < section;
	return SLV_OK;
}

/* The message at `lost` is the last one before bytes that are missing or too
 * many.  The next section after it shows how many: then its true end is known,
 * and the messages from there on must be those that the chunk lacks.  Where it
 * lacks none, any section would do: then no units may lead to it. */
static enum slv_status
try_section(const struct slv_scan *s, uint64_t lost,
    const struct cyber_message *m, uint64_t mark, uint64_t section,
    uint64_t *end, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_item *item = &c->items[c->n_items - 1];
	uint64_t due = item->body + CYBER_SECTION + item->body_size;
	uint64_t true_end = lost + cyber_message_span(m) + section - due;
	struct cyber_chain rest, piece;
	bool leads = false;

	if (true_end <= lost || true_end > section)
		return SLV_OK;
	SLV_TRY(cyber_chain_follow(s, true_end, section, &rest, err));
	if (rest.messages == 0)
		SLV_TRY(leads_to(s, mark, section, &leads, err));
	/* It may be of a piece itself. */
	if (section < lost + cyber_message_span(m)) {
		SLV_TRY(cyber_chain_follow(
		    s, section, s->source->size, &piece, err));
		leads |=
		    piece.broken && piece.end < lost + cyber_message_span(m);
	}
	if (!rest.broken && rest.end == section && !leads
	    && item->own.messages + 1 + rest.messages == item->claim.messages
	    && item->own.raw + m->content + rest.raw == item->claim.raw)
		*end = true_end;
	return SLV_OK;
}

/* Whether the message at `lost` begins again as far away as the true end is from
 * the stated one: then a range is in the file twice (cyber_twice.c). */
static enum slv_status
is_twice(const struct slv_scan *s, uint64_t lost, const struct cyber_message *m,
    uint64_t end, bool *yes, struct slv_err *err)
{
	uint64_t shift = end - lost - cyber_message_span(m), same;

	*yes = false;
	if (end - lost <= cyber_message_span(m) || shift > REACH)
		return SLV_OK;
	SLV_TRY(slv_compare(s, lost, lost + shift, m->head, &same, err));
	*yes = same == m->head;
	return SLV_OK;
}

/* Where the message at `lost` ends by the books of its chunk; 0: unknown. */
static enum slv_status
booked_end(const struct slv_scan *s, uint64_t lost,
    const struct cyber_message *m, uint64_t mark, uint64_t *end,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	const struct cyber_item *item;
	uint64_t at = lost, to = slv_min64(s->source->size, lost + REACH);
	bool twice;

	*end = 0;
	if (!c->open)
		return SLV_OK;
	item = &c->items[c->n_items - 1];
	if (!item->claims || !item->bodied || item->broken_head
	    || item->broken_body
	    || lost != item->body + CYBER_SECTION + item->bytes)
		return SLV_OK;
	for (unsigned i = 0; i < TRIES && *end == 0 && at < to;) {
		struct cyber_section k = { .agrees = false };
		const uint8_t *p;

		SLV_TRY(cyber_chain_mark(s, at + 1, to, &at, err));
		if (at < to)
			SLV_TRY(slv_window_view(s->window, at, 1, &p, err));
		if (at < to && *p < CYBER_TYPES)
			SLV_TRY(cyber_look_section(s, at, &k, err));
		if (at < to && !k.agrees)
			continue;
		SLV_TRY(try_section(s, lost, m, mark, at, end, err));
		i++;
	}
	if (*end == 0)
		return SLV_OK;
	SLV_TRY(is_twice(s, lost, m, *end, &twice, err));
	*end = twice ? 0 : *end;
	return SLV_OK;
}

/* The same, once for each message, and for as many as time allows. */
static enum slv_status
find_booked(struct slv_scan *s, uint64_t lost, const struct cyber_message *m,
    uint64_t mark, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	uint64_t before = s->window->viewed;

	if (c->booked.lost == lost)
		return SLV_OK;
	c->booked.lost = lost;
	c->booked.end = 0;
	if (c->booked.viewed > BOOKED * s->source->size + BOOKED_BASE)
		return SLV_OK;
	SLV_TRY(booked_end(s, lost, m, mark, &c->booked.end, err));
	c->booked.viewed += s->window->viewed - before;
	return SLV_OK;
}

/* Whether the content [off, end) holds a message. */
static enum slv_status
holds_message(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	struct cyber_message m;

	for (*yes = false; off < end && !*yes; off++) {
		SLV_TRY(cyber_chain_mark(s, off, end, &off, err));
		if (off == end)
			return SLV_OK;
		SLV_TRY(cyber_look_message(s, off, &m, err));
		*yes = m.read == CYBER_WHOLE;
	}
	return SLV_OK;
}

/* Whether units in the content [off, end) of a message that is damaged break off
 * before its end. */
static enum slv_status
holds_piece(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	struct cyber_chain c;
	uint64_t to = slv_min64(end, s->source->size);

	*yes = false;
	SLV_TRY(cyber_chain_mark(s, off, to, &off, err));
	if (off == to)
		return SLV_OK;
	SLV_TRY(cyber_chain_follow(s, off, s->source->size, &c, err));
	*yes = c.broken && c.messages > 1 && c.end < end;
	return SLV_OK;
}

/* How long the longest messages are that carry a piece of a record, or may have
 * done so before they were damaged. */
static enum slv_status
find_carrier(
    const struct slv_scan *s, struct cyber_carrier *out, struct slv_err *err)
{
	uint64_t at = s->base + CYBER_DATA_START;
	uint64_t to = slv_min64(s->logical_end, at + SCAN);

	while (at < to) {
		struct cyber_message m;
		bool message, unit, next = false, yes = false;
		uint64_t len;

		SLV_TRY(
		    cyber_chain_unit(s, at, &len, &m, &message, &unit, err));
		if (unit)
			SLV_TRY(cyber_goes_on(
			    s, at + len, CYBER_NEXT_ANY, &next, err));
		if (message && next && m.content > out->longest)
			SLV_TRY(
			    holds_message(s, at + m.head, at + len, &yes, err));
		if (message && !next) {
			out->damaged = slv_max64(out->damaged, m.content);
			SLV_TRY(
			    holds_piece(s, at + m.head, at + len, &yes, err));
		}
		if (yes)
			out->longest = slv_max64(out->longest, m.content);
		if (next)
			at += len;
		else
			SLV_TRY(cyber_chain_mark(s, at + 1, to, &at, err));
	}
	return SLV_OK;
}

/* How long a piece may be at most, by those and by the messages that were lost.
 * They are looked for once, which is no part of what a search may cost. */
static enum slv_status
longest_carrier(const struct slv_scan *s, uint64_t *out, struct slv_err *err)
{
	uint64_t before = s->window->viewed;
	struct cyber_carrier *carrier;
	void *room;

	SLV_TRY(slv_cache_only(s->cache, CYBER_CACHED_CARRIER, &room, err));
	carrier = room;
	if (!carrier->known)
		SLV_TRY(find_carrier(s, carrier, err));
	carrier->known = true;
	s->window->viewed = before;
	*out = slv_max64(carrier->longest, cyber_of(s)->carrier);
	if (*out > 0)
		*out = slv_max64(*out, carrier->damaged);
	return SLV_OK;
}

/* Whether what is known at the end shows that the units at `mark` are of this
 * record. */
static bool
is_trusted(const struct slv_scan *s, uint64_t mark)
{
	return s->opt.mends != NULL
	    && slv_ranges_hit(&s->opt.mends->trusted, mark, 1);
}

/* Units that are passed by; what is known at the end may show that they are of
 * this record. */
static enum slv_status
note_piece(struct slv_scan *s, uint64_t mark, const struct cyber_chain *c,
    struct slv_err *err)
{
	struct cyber *own = cyber_edit(s);

	if (c->messages == 0 || own->n_pieces == PIECES_MAX)
		return SLV_OK;
	SLV_TRY(slv_grow(&own->pieces, &own->cap_pieces, own->n_pieces + 1,
	    sizeof(*own->pieces), err));
	own->pieces[own->n_pieces++] = (struct cyber_piece){
		.off = mark,
		.messages = c->messages,
		.times = c->times,
	};
	return SLV_OK;
}

/* Whether the units are a piece, by what the record carries elsewhere. */
static enum slv_status
is_piece(const struct slv_scan *s, uint64_t mark, const struct cyber_chain *c,
    bool *yes, struct slv_err *err)
{
	uint64_t longest;

	if (!c->broken)
		return SLV_OK;
	SLV_TRY(longest_carrier(s, &longest, err));
	*yes = c->end - mark <= longest;
	return SLV_OK;
}

/* Whether the units from `mark` on are a piece of a record that a message
 * carries.  Such a piece breaks off: it ends before `inside`, where the message
 * ends that was damaged, and is no longer than its `content`; or that message is
 * lost, too, and others carry pieces as well.  Where `inside` is known for sure the
 * piece may end there. */
static enum slv_status
breaks_off(struct slv_scan *s, uint64_t mark, uint64_t inside, uint64_t content,
    uint64_t *end, bool *yes, struct slv_err *err)
{
	struct cyber *own = cyber_edit(s);
	struct cyber_chain c;
	uint64_t last;

	if (own->booked.end > mark && own->booked.end == inside) {
		SLV_TRY(cyber_chain_follow(s, mark, inside, &c, err));
		/* What goes on beyond that is completed by something else. */
		last = c.end > inside ? c.last : c.end;
		*end = c.end > inside ? inside : slv_max64(last, mark + 1);
		*yes = last - mark <= content;
		if (*yes)
			return note_piece(s, mark, &c, err);
	}
	SLV_TRY(cyber_chain_follow(s, mark, s->source->size, &c, err));
	*end = slv_max64(c.end, mark + 1);
	*yes = c.broken && c.end < inside && c.end - mark <= content;
	if (*yes && c.messages > 1)
		own->carrier = slv_max64(own->carrier, content);
	if (!*yes)
		SLV_TRY(cyber_is_of_no_chunk(s, mark, &c, yes, err));
	if (!*yes)
		SLV_TRY(is_piece(s, mark, &c, yes, err));
	return *yes ? note_piece(s, mark, &c, err) : SLV_OK;
}

enum slv_status
cyber_is_carried(
    const struct slv_scan *s, uint64_t mark, bool *yes, struct slv_err *err)
{
	struct cyber_chain c;

	*yes = false;
	if (is_trusted(s, mark))
		return SLV_OK;
	SLV_TRY(cyber_chain_follow(s, mark, s->source->size, &c, err));
	return is_piece(s, mark, &c, yes, err);
}

enum slv_status
cyber_doubt(
    struct slv_scan *s, uint64_t mark, uint64_t inside, struct slv_err *err)
{
	uint64_t longest;

	SLV_TRY(longest_carrier(s, &longest, err));
	if (longest > 0)
		cyber_edit(s)->doubted_upto = slv_min64(
		    inside > mark ? inside : UINT64_MAX, mark + longest);
	return SLV_OK;
}

/* The log ends in the message at `lost`, by its head: the units from `mark` on
 * must reach the end, and only few of the zeros there. */
static enum slv_status
cut_inside(const struct slv_scan *s, uint64_t mark, uint64_t *skip,
    struct slv_err *err)
{
	struct cyber_chain c;

	SLV_TRY(cyber_chain_follow(s, mark, s->logical_end, &c, err));
	if (c.broken || c.end > s->logical_end + FEW)
		*skip = slv_max64(c.end, mark + 1);
	return SLV_OK;
}

/* Units that are kept are doubted as far as they may be a piece, and all of those that
 * lead to nothing, where no header states the times and the number of the messages. */
static enum slv_status
doubt_loose(
    struct slv_scan *s, uint64_t mark, uint64_t inside, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_chain chain;

	SLV_TRY(cyber_doubt(s, mark, inside, err));
	if (c->open && c->items[c->n_items - 1].claims)
		return SLV_OK;
	SLV_TRY(cyber_chain_follow(s, mark, s->source->size, &chain, err));
	if (chain.broken)
		c->doubted_upto = slv_max64(c->doubted_upto, chain.end + 1);
	return SLV_OK;
}

enum slv_status
cyber_carried(struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct cyber_message m;
	uint64_t stated, inside, end;
	bool yes = false;

	*skip = mark;
	c->doubted_upto = 0;
	if (u->fate == SLV_FOREIGN || is_trusted(s, mark))
		return SLV_OK;
	SLV_TRY(cyber_chain_stated(s, lost, &stated, err));
	/* A body needs the header before it. */
	if (u->tag == CYBER_TAG_CHUNK_HEADER && mark + u->len == stated)
		return SLV_OK;
	if (stated > mark && stated <= s->source->size)
		SLV_TRY(cyber_goes_on(s, stated, CYBER_NEXT_ANY, &yes, err));
	if (yes) {
		*skip = stated;
		return SLV_OK;
	}
	SLV_TRY(cyber_look_message(s, lost, &m, err));
	if (m.read == CYBER_WHOLE && stated > s->logical_end)
		return cut_inside(s, mark, skip, err);
	if (m.read == CYBER_WHOLE) {
		SLV_TRY(find_booked(s, lost, &m, mark, err));
		stated = slv_max64(stated, c->booked.end);
	}
	/* Of one with a damaged head the length is not known so well. */
	inside = m.read == CYBER_WHOLE ? stated : 0;
	SLV_TRY(breaks_off(s, mark, inside, m.content, &end, &yes, err));
	if (yes)
		*skip = end;
	return yes ? SLV_OK : doubt_loose(s, mark, inside, err);
}
