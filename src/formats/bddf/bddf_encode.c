/* bddf_encode.c - index blocks, byte for byte as the vendor's writer has
 * them: fields in order of their numbers, zeros left out, lists packed,
 * every entry with a timestamp.
 */
#include "formats/bddf/bddf_state.h"

#define TAG_LEN(tag)    ((tag) << 3 | 2)
#define TAG_VARINT(tag) ((tag) << 3)

/* Where a block of the input stands in the output. */
uint64_t
bddf_out(const struct bddf *b, uint64_t in)
{
	size_t low = 0, high = b->n_pieces;

	if (b->n_pieces == 0)
		return in;
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (b->pieces[mid].in <= in)
			low = mid;
		else
			high = mid;
	}
	return in - b->pieces[low].in + b->pieces[low].out;
}

size_t
bddf_varint_size(uint64_t v)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);

	return (bits + 6) / 7;
}

uint8_t *
bddf_varint_put(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

size_t
bddf_number_size(uint64_t v)
{
	return v == 0 ? 0 : 1 + bddf_varint_size(v);
}

uint8_t *
bddf_number_put(uint8_t *p, unsigned tag, uint64_t v)
{
	if (v == 0)
		return p;
	*p++ = (uint8_t)TAG_VARINT(tag);
	return bddf_varint_put(p, v);
}

/* Bytes of the additional indexes as a packed list. */
static size_t
list_size(const struct bddf_entry *e, const struct bddf_pool *pool, uint64_t n)
{
	size_t size = 0;

	for (uint64_t i = 0; i < n; i++)
		size += bddf_varint_size(
		    (uint64_t)bddf_pool_at(pool, e->extra + i));
	return size;
}

/* Bytes of the BlockEntry; its Timestamp is never 128 long. */
static size_t
body_size(const struct bddf_entry *e, uint64_t off, size_t list)
{
	size_t size = bddf_number_size(off);

	if (e->nanos != BDDF_NO_TIME)
		size += 2 + bddf_number_size((uint64_t)e->sec)
		    + bddf_number_size(e->nanos);
	return list > 0 ? size + 1 + bddf_varint_size(list) + list : size;
}

size_t
bddf_entry_size(const struct bddf_entry *e, uint64_t off,
    const struct bddf_pool *pool, uint64_t n)
{
	size_t body = body_size(e, off, list_size(e, pool, n));

	return 1 + bddf_varint_size(body) + body;
}

uint8_t *
bddf_entry_put(uint8_t *p, const struct bddf_entry *e, uint64_t off,
    const struct bddf_pool *pool, uint64_t n)
{
	size_t list = list_size(e, pool, n);
	uint8_t *body, *time;

	*p++ = TAG_LEN(3);
	/* Without a list it is never 128 long: known when it is written. */
	p = list > 0 ? bddf_varint_put(p, body_size(e, off, list)) : p + 1;
	body = p;
	if (e->nanos != BDDF_NO_TIME) {
		*p = TAG_LEN(1);
		time = p += 2;
		p = bddf_number_put(p, 1, (uint64_t)e->sec);
		p = bddf_number_put(p, 2, e->nanos);
		time[-1] = (uint8_t)(p - time);
	}
	p = bddf_number_put(p, 2, off);
	if (list == 0) {
		body[-1] = (uint8_t)(p - body);
		return p;
	}
	*p++ = TAG_LEN(3);
	p = bddf_varint_put(p, list);
	for (uint64_t i = 0; i < n; i++)
		p = bddf_varint_put(
		    p, (uint64_t)bddf_pool_at(pool, e->extra + i));
	return p;
}

/* Bytes of the entry as a field of its SeriesBlockIndex. */
static size_t
entry_size(const struct bddf *b, const struct bddf_entry *e)
{
	return bddf_entry_size(
	    e, bddf_out(b, e->off), &b->extras, bddf_extras(b, e));
}

/* A made segment: entries [arg >> 32, arg) of a chunk. */
static void
make_entries(const void *ctx, uint64_t arg, uint8_t *out)
{
	const struct bddf_chunk *c = ctx;

	for (uint32_t i = (uint32_t)(arg >> 32); i < (uint32_t)arg; i++) {
		const struct bddf_entry *e = &c->at[i];

		out = bddf_entry_put(out, e, bddf_out(c->owner, e->off),
		    &c->owner->extras, bddf_extras(c->owner, e));
	}
}

#define SEGMENT ((size_t)64 << 10) /* bytes encoded at once, about */

static enum slv_status
plan_chunk(const struct bddf *b, const struct bddf_chunk *c,
    struct slv_plan *plan, struct slv_err *err)
{
	uint32_t from = 0;
	size_t size = 0;

	if (c->bytes <= SEGMENT)
		return slv_plan_make(
		    plan, (size_t)c->bytes, make_entries, c, c->n, err);
	for (uint32_t i = 0; i < c->n; i++) {
		size += entry_size(b, &c->at[i]);
		if (size < SEGMENT && i + 1 < c->n)
			continue;
		SLV_TRY(slv_plan_make(plan, size, make_entries, c,
		    (uint64_t)from << 32 | (i + 1), err));
		from = i + 1;
		size = 0;
	}
	return SLV_OK;
}

enum slv_status
bddf_encode_series(const struct bddf *b, size_t index, struct slv_plan *plan,
    struct slv_err *err)
{
	const struct bddf_series *series = &b->series[index];
	uint64_t block = series->declared && !series->early
	    ? bddf_out(b, series->block.off)
	    : series->placed;
	uint64_t entries = 0, body, size;
	uint8_t bytes[BDDF_HEADER_SIZE + 64], *p = bytes + BDDF_HEADER_SIZE;

	for (struct bddf_chunk *c = series->first; c != NULL; c = c->next) {
		c->bytes = 0;
		for (uint32_t i = 0; i < c->n; i++)
			c->bytes += entry_size(b, &c->at[i]);
		entries += c->bytes;
	}
	body = bddf_number_size(index) + bddf_number_size(block) + entries
	    + bddf_number_size(series->bytes);
	size = 1 + bddf_varint_size(body) + body;
	bddf_head_put(b->dialect,
	    (struct bddf_head){ .type = BDDF_DESCRIPTOR, .size = size }, bytes);
	*p++ = TAG_LEN(BDDF_SERIES_INDEX);
	p = bddf_varint_put(p, body);
	p = bddf_number_put(p, 1, index);
	p = bddf_number_put(p, 2, block);
	SLV_TRY(slv_plan_bytes(plan, bytes, (size_t)(p - bytes), err));
	for (const struct bddf_chunk *c = series->first; c != NULL; c = c->next)
		SLV_TRY(plan_chunk(b, c, plan, err));
	p = bddf_number_put(bytes, 4, series->bytes);
	return slv_plan_bytes(plan, bytes, (size_t)(p - bytes), err);
}
