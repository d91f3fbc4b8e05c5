/* harm.c - one way to ruin a log, and what it leaves of it. */
#include "salvage/harm.h"

#include <string.h>

#define END_SIZE 40 /* bytes of an end block */

const char *
footing_name(enum footing f)
{
	static const char *const names[FOOTINGS] = { "footer", "index",
		"neither" };

	return names[f];
}

const char *
harm_name(enum harm_kind kind)
{
	static const char *const names[HARM_KINDS] = {
		[HARM_FLIP] = "flip",
		[HARM_ZEROS] = "zeros",
		[HARM_ONES] = "ones",
		[HARM_HOLES] = "holes",
		[HARM_RANDOM] = "random",
		[HARM_STALE] = "stale",
		[HARM_CUT] = "cut",
		[HARM_INSERT] = "insert",
		[HARM_INSERT_STALE] = "insert stale",
		[HARM_DOUBLE] = "double",
		[HARM_SWAP] = "swap",
		[HARM_JOIN] = "join",
		[HARM_DECLARE] = "declare",
		[HARM_EDGE] = "edge",
		[HARM_SWALLOW] = "swallow",
		[HARM_DESCRIBE] = "describe",
	};

	return names[kind];
}

size_t
footing_limit(const struct original *o, enum footing f)
{
	switch (f) {
	case FOOTER: return o->log.bytes.n;
	case INDEXES: return o->log.bytes.n - END_SIZE;
	case NEITHER:
	case FOOTINGS: break;
	}
	return o->data_end;
}

/* The part of block i that is in a region. */
static void
part_of(const struct original *o, size_t i, enum region region, size_t *off,
    size_t *end)
{
	const struct made_block *b = &o->log.blocks[i];
	bool in;

	*off = b->off;
	*end = b->end;
	switch (region) {
	case HEADS:
		*end = b->payload;
		in = b->kind == MADE_DATA;
		break;
	case PAYLOADS:
		*off = b->payload;
		in = b->kind == MADE_DATA;
		break;
	case HEAD:
		*off = 0;
		in = b->kind == MADE_FILE;
		break;
	case SERIES: in = b->kind == MADE_SERIES; break;
	case DERIVED: in = b->kind > MADE_DATA; break;
	default: in = false;
	}
	if (!in)
		*end = *off;
}

size_t
region_size(const struct original *o, enum region region, enum footing f)
{
	size_t limit = footing_limit(o, f), size = 0;

	if (region == ANYWHERE)
		return limit;
	if (region == AMID)
		return o->data_end - o->data;
	for (size_t i = 0; i < o->log.n; i++) {
		size_t off, end;

		part_of(o, i, region, &off, &end);
		if (end <= limit)
			size += end - off;
	}
	return size;
}

size_t
region_at(const struct original *o, enum region region, size_t place)
{
	if (region == ANYWHERE)
		return place;
	if (region == AMID)
		return o->data + place;
	for (size_t i = 0; i < o->log.n; i++) {
		size_t off, end;

		part_of(o, i, region, &off, &end);
		if (place < end - off)
			return off + place;
		place -= end - off;
	}
	return 0;
}

/* Putting it together. */

static void
foreign(struct harmed *h, const uint8_t *bytes, size_t n)
{
	if (n == 0)
		return;
	h->pieces[h->n++] = (struct piece){ h->bytes.n, FOREIGN, n };
	blob_add(&h->bytes, bytes, n);
}

static void
ours(struct harmed *h, const struct original *o, size_t off, size_t end)
{
	if (off >= end)
		return;
	h->pieces[h->n++] = (struct piece){ h->bytes.n, off, end - off };
	blob_add(&h->bytes, o->log.bytes.at + off, end - off);
}

/* len bytes of a kind, to be at off. */
static void
fill(struct harmed *h, const struct original *o, enum harm_kind kind,
    size_t off, size_t len, uint64_t seed)
{
	struct dice dice = { seed };
	size_t n = o->older.n, from = off;
	struct blob b = { 0 };

	switch (kind) {
	case HARM_ZEROS: blob_fill(&b, 0, len); break;
	case HARM_ONES: blob_fill(&b, 0xff, len); break;
	case HARM_STALE:
		if (dice_roll(&dice) % 2 == 1)
			from = (size_t)dice_below(&dice, n);
		while (b.n < len) {
			size_t m = n - from < len - b.n ? n - from : len - b.n;

			blob_add(&b, o->older.at + from, m);
			from = o->data;
		}
		break;
	default:
		while (b.n < len)
			blob_byte(&b, (uint8_t)dice_roll(&dice));
	}
	foreign(h, b.at, len);
	blob_free(&b);
}

static void
flip(struct harmed *h, const struct original *o, const struct harm *harm)
{
	size_t at = harm->off / 8;
	uint8_t byte = o->log.bytes.at[at] ^ (uint8_t)(1 << harm->off % 8);

	ours(h, o, 0, at);
	foreign(h, &byte, 1);
	ours(h, o, at + 1, h->limit);
}

static void
swap(struct harmed *h, const struct original *o, const struct harm *harm,
    size_t end)
{
	size_t room = h->limit - end, len, off2;

	if (room == 0)
		return;
	len = harm->len < room ? harm->len : room;
	off2 = end;
	if (harm->seed % 2 == 1)
		off2 += (size_t)(harm->seed / 2 % (room - len + 1));
	ours(h, o, 0, harm->off);
	ours(h, o, off2, off2 + len);
	ours(h, o, end, off2);
	ours(h, o, harm->off, end);
	ours(h, o, off2 + len, h->limit);
}

static void
two_holes(struct harmed *h, const struct original *o, size_t off, size_t end,
    uint64_t seed)
{
	size_t off2 = end + (size_t)(seed % (h->limit - end + 1));
	size_t end2 = off2 + (end - off);

	if (end2 > h->limit)
		end2 = h->limit;
	ours(h, o, 0, off);
	fill(h, o, HARM_ZEROS, off, end - off, 0);
	ours(h, o, end, off2);
	fill(h, o, HARM_ZEROS, off2, end2 - off2, 0);
	ours(h, o, end2, h->limit);
}

/* The descriptor that off is in. */
static void
undeclare(struct harmed *h, const struct original *o, const struct harm *harm)
{
	for (size_t i = 0; i < o->log.n; i++) {
		const struct made_block *b = &o->log.blocks[i];
		size_t off = b->off + (harm->seed % 2 == 0 ? 8 : 0);

		if (harm->off < b->off || harm->off >= b->end)
			continue;
		ours(h, o, 0, off);
		fill(h, o, HARM_ZEROS, off, b->end - off, 0);
		ours(h, o, b->end, h->limit);
		return;
	}
}

/* The block of data that off is in, or NULL. */
static const struct made_block *
data_at(const struct original *o, size_t off)
{
	for (size_t i = 0; i < o->log.n; i++) {
		const struct made_block *b = &o->log.blocks[i];

		if (b->kind == MADE_DATA && off >= b->off && off < b->end)
			return b;
	}
	return NULL;
}

/* From inside the payload before it up to inside the header of the block that
 * off is in. */
static void
edge(struct harmed *h, const struct original *o, const struct harm *harm)
{
	static const enum harm_kind fills[] = { HARM_RANDOM, HARM_ZEROS,
		HARM_ONES };
	const struct made_block *b = data_at(o, harm->off);
	size_t off, end;

	if (b == NULL || b->off <= o->data)
		return;
	end = b->off + 1 + (size_t)(harm->seed % 6);
	off = harm->len < end - o->data ? end - harm->len : o->data;
	if (off >= b->off)
		off = b->off - 1;
	ours(h, o, 0, off);
	fill(h, o, fills[harm->seed / 6 % 3], off, end - off, harm->seed);
	ours(h, o, end, h->limit);
}

/* The size of the block that off is in made to reach the end of the file, but
 * for 0 to 7 bytes. */
static void
swallow(struct harmed *h, const struct original *o, const struct harm *harm)
{
	const struct made_block *b = data_at(o, harm->off);
	size_t left = (size_t)(harm->seed % 8), at;
	uint8_t size[7];
	uint64_t v;

	if (b == NULL)
		return;
	v = h->limit - left - b->off - 12;
	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (uint8_t)(v >> 8 * i);
	at = b->off + o->type_first;
	ours(h, o, 0, at);
	foreign(h, size, sizeof(size));
	ours(h, o, at + sizeof(size), h->limit);
}

/* A few bytes of the DataDescriptor of the block that off is in zeroed. */
static void
describe(struct harmed *h, const struct original *o, const struct harm *harm)
{
	const struct made_block *b = data_at(o, harm->off);
	size_t off, end;

	if (b == NULL || b->off + 12 >= b->payload)
		return;
	off = b->off + 12 + (size_t)(harm->seed % (b->payload - b->off - 12));
	end = off + 1 + (size_t)(harm->seed / 256 % 4);
	if (end > b->payload)
		end = b->payload;
	ours(h, o, 0, off);
	fill(h, o, HARM_ZEROS, off, end - off, 0);
	ours(h, o, end, h->limit);
}

/* What is put in. */
static enum harm_kind
filling(const struct harm *harm)
{
	if (harm->kind == HARM_INSERT_STALE)
		return HARM_STALE;
	return harm->seed % 2 == 0 ? HARM_RANDOM : HARM_ZEROS;
}

bool
harm_do(struct harmed *h, const struct original *o, const struct harm *harm,
    const struct original *other)
{
	size_t off = harm->off, end = off + harm->len;

	h->bytes.n = 0;
	h->n = 0;
	h->limit = footing_limit(o, harm->footing);
	if (end > h->limit)
		end = h->limit;
	switch (harm->kind) {
	case HARM_FLIP: flip(h, o, harm); break;
	case HARM_ZEROS:
	case HARM_ONES:
	case HARM_RANDOM:
	case HARM_STALE:
		ours(h, o, 0, off);
		fill(h, o, harm->kind, off, end - off, harm->seed);
		ours(h, o, end, h->limit);
		break;
	case HARM_HOLES: two_holes(h, o, off, end, harm->seed); break;
	case HARM_CUT:
		ours(h, o, 0, off);
		ours(h, o, end, h->limit);
		break;
	case HARM_INSERT:
	case HARM_INSERT_STALE:
		ours(h, o, 0, off);
		fill(h, o, filling(harm), off, harm->len, harm->seed);
		ours(h, o, off, h->limit);
		break;
	case HARM_DOUBLE:
		ours(h, o, 0, end);
		ours(h, o, off, h->limit);
		break;
	case HARM_SWAP: swap(h, o, harm, end); break;
	case HARM_JOIN:
		ours(h, o, 0, h->limit);
		foreign(h, other->log.bytes.at, other->log.bytes.n);
		break;
	case HARM_DECLARE: undeclare(h, o, harm); break;
	case HARM_EDGE: edge(h, o, harm); break;
	case HARM_SWALLOW: swallow(h, o, harm); break;
	case HARM_DESCRIBE: describe(h, o, harm); break;
	case HARM_KINDS: break;
	}
	h->still = h->bytes.n == h->limit;
	return h->n > 0
	    && !(h->still
	        && memcmp(h->bytes.at, o->log.bytes.at, h->limit) == 0);
}

size_t
harm_place(
    const struct harmed *h, const struct original *o, size_t off, size_t end)
{
	if (h->still && end <= h->limit
	    && memcmp(h->bytes.at + off, o->log.bytes.at + off, end - off) == 0)
		return off;
	for (size_t i = 0; i < h->n; i++) {
		const struct piece *p = &h->pieces[i];

		if (p->from != FOREIGN && off >= p->from
		    && end <= p->from + p->len)
			return p->at + (off - p->from);
	}
	return SIZE_MAX;
}

size_t
harm_source(const struct harmed *h, size_t at)
{
	const struct piece *last = &h->pieces[h->n - 1];

	for (size_t i = 0; i < h->n; i++) {
		const struct piece *p = &h->pieces[i];

		if (at < p->at || at - p->at >= p->len)
			continue;
		if (p->from != FOREIGN)
			return p->from + (at - p->at);
		return h->still ? at : SIZE_MAX;
	}
	if (at == h->bytes.n && (h->still || last->from != FOREIGN))
		return h->still ? at : last->from + last->len;
	return SIZE_MAX;
}

void
harmed_free(struct harmed *h)
{
	blob_free(&h->bytes);
	*h = (struct harmed){ 0 };
}
