/* bddf_encode.c - index blocks, byte for byte as the vendor's writer has
 * them: fields in order of their numbers, zeros left out, lists packed,
 * every entry with a timestamp.
 */
#include "base/list.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/read/bddf_plain.h"

#define TAG_LEN(tag)    ((tag) << 3 | 2)
#define TAG_VARINT(tag) ((tag) << 3)

struct bddf_piece
bddf_piece_of(const struct bddf *b, uint64_t in)
{
	size_t i =
	    SLV_FROM(struct bddf_piece, in, b->pieces, b->n_pieces, in + 1);

	if (b->n_pieces == 0)
		return (struct bddf_piece){ .len = UINT64_MAX };
	return b->pieces[i > 0 ? i - 1 : 0];
}

uint64_t
bddf_out(const struct bddf *b, uint64_t in)
{
	struct bddf_piece piece = bddf_piece_of(b, in);

	return in - piece.in + piece.out;
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

/* How varints of one length are written. */
struct width {
	uint64_t from, span; /* the numbers from .. from + span - 1 */
	uint64_t marks;      /* continuation bits, of all bytes but the last */
	size_t n;            /* bytes; 1 .. 8 */
};

static struct width
width_of(uint64_t v)
{
	size_t n = bddf_varint_size(v);
	uint64_t from = n > 1 ? (uint64_t)1 << 7 * (n - 1) : 0;

	return (struct width){
		.from = from,
		.span = ((uint64_t)1 << 7 * n) - from,
		.marks =
		    0x8080808080808080 & (((uint64_t)1 << 8 * (n - 1)) - 1),
		.n = n,
	};
}

/* The seconds as they are written, with the keys of both fields of a
 * Timestamp; len is 0 where they take too many bytes, or none. */
static struct bddf_plain_sec
sec_of(int64_t value)
{
	uint8_t text[2 * BDDF_PLAIN_SLACK] = { TAG_VARINT(1) }, *end;
	struct bddf_plain_sec sec = { .value = (uint64_t)value };

	if (value <= 0 || value >> 42 != 0)
		return sec;
	end = bddf_varint_put(text + 1, sec.value);
	*end++ = TAG_VARINT(2);
	sec.len = (size_t)(end - text);
	sec.mask = ~(uint64_t)0 >> (64 - 8 * sec.len);
	sec.text = slv_get_le64(text) & sec.mask;
	return sec;
}

/* The encoding of entries in a row for an index.  Parts that are written as in the entry
 * before, which is usual, are not computed again. */
struct encoding {
	const struct bddf *b;
	struct bddf_piece piece;
	struct bddf_plain_sec sec;
	struct width nanos, off;
};

/* Whether the entry, with `off` as its offset, is plain: then its form is known. */
static inline bool
is_plain(struct encoding *to, const struct bddf_entry *e, uint64_t off)
{
	if (e->extra != 0 || e->nanos - 1 >= INT32_MAX
	    || off - 1 >= ((uint64_t)1 << 56) - 1)
		return false;
	if (to->sec.value != (uint64_t)e->sec)
		to->sec = sec_of(e->sec);
	if (e->nanos - to->nanos.from >= to->nanos.span)
		to->nanos = width_of(e->nanos);
	if (off - to->off.from >= to->off.span)
		to->off = width_of(off);
	return to->sec.len > 0;
}

/* Bytes of the next entry as a field of its SeriesBlockIndex. */
static inline size_t
next_size(struct encoding *to, struct bddf_entry e)
{
	uint64_t off = bddf_out_next(to->b, &to->piece, e.off);

	if (is_plain(to, &e, off))
		return 5 + to->sec.len + to->nanos.n + to->off.n;
	return bddf_entry_size(&e, off, &to->b->extras, bddf_extras(to->b, &e));
}

static inline uint8_t *
put_number(uint8_t *p, uint64_t v, const struct width *w)
{
	/* Its bits, each 7 moved apart. */
	v = (v & 0x0fffffff) | v >> 28 << 32;
	v += (v & 0x0fffc0000fffc000) * 3;
	v += v & 0x3f803f803f803f80;
	slv_put_le64(p, v | w->marks);
	return p + w->n;
}

static inline uint8_t *
put_next(struct encoding *to, struct bddf_entry e, uint8_t *out)
{
	uint64_t off = bddf_out_next(to->b, &to->piece, e.off);
	uint8_t *p = out;
	size_t time;

	if (!is_plain(to, &e, off))
		return bddf_entry_put(
		    out, &e, off, &to->b->extras, bddf_extras(to->b, &e));
	time = to->sec.len + to->nanos.n;
	*p++ = TAG_LEN(3);
	*p++ = (uint8_t)(3 + time + to->off.n);
	*p++ = TAG_LEN(1);
	*p++ = (uint8_t)time;
	slv_put_le64(p, to->sec.text);
	p = put_number(p + to->sec.len, e.nanos, &to->nanos);
	*p++ = TAG_VARINT(2);
	return put_number(p, off, &to->off);
}

/* A made segment: entries [arg >> 32, arg) of a chunk. */
static enum slv_status
make_entries(const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *err)
{
	const struct bddf_chunk *c = ctx;
	struct encoding to = { .b = c->owner };

	(void)err;
	for (uint32_t i = (uint32_t)(arg >> 32); i < (uint32_t)arg; i++)
		out = put_next(&to, bddf_chunk_get(c, i), out);
	return SLV_OK;
}

#define SEGMENT ((size_t)64 << 10) /* bytes encoded at once, about */

static enum slv_status
plan_chunk(const struct bddf *b, const struct bddf_chunk *c,
    struct slv_plan *plan, struct slv_err *err)
{
	struct encoding to = { .b = b };
	uint32_t from = 0;
	size_t size = 0;

	if (c->bytes <= SEGMENT)
		return slv_plan_make(plan, (size_t)c->bytes, make_entries,
		    bddf_index_made, c, c->n, err);
	for (uint32_t i = 0; i < c->n; i++) {
		size += next_size(&to, bddf_chunk_get(c, i));
		if (size < SEGMENT && i + 1 < c->n)
			continue;
		SLV_TRY(slv_plan_make(plan, size, make_entries, bddf_index_made,
		    c, (uint64_t)from << 32 | (i + 1), err));
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
	struct encoding to = { .b = b };
	uint64_t entries = 0, body, size;
	uint8_t bytes[BDDF_HEADER_SIZE + 64], *p = bytes + BDDF_HEADER_SIZE;

	for (struct bddf_chunk *c = series->first; c != NULL; c = c->next) {
		c->bytes = 0;
		for (uint32_t i = 0; i < c->n; i++)
			c->bytes += next_size(&to, bddf_chunk_get(c, i));
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
