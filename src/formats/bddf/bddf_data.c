/* bddf_data.c - the DataDescriptor in front of every payload. */
#include "formats/bddf/bddf_data.h"

#include <stdlib.h>

#include "base/mem.h"

#define PIECE 65536 /* numbers in a piece of the pool */

/* Bytes still to be decoded: [p, stop) of those that should be there. */
struct input {
	const uint8_t *p;
	size_t have; /* bytes at p */
	size_t left; /* bytes of the message from p on; >= have */
};

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

void
bddf_pool_push(struct bddf_pool *pool, int64_t value)
{
	if (pool->n == pool->n_pieces * (uint64_t)PIECE && !pool->failed) {
		int64_t *piece = slv_realloc(NULL, PIECE * sizeof(*piece));

		if (piece == NULL
		    || slv_grow(&pool->pieces, &pool->cap, pool->n_pieces + 1,
		           sizeof(*pool->pieces), NULL)
		        != SLV_OK) {
			free(piece);
			pool->failed = true;
		} else {
			pool->pieces[pool->n_pieces++] = piece;
		}
	}
	if (pool->failed)
		return;
	pool->pieces[pool->n / PIECE][pool->n % PIECE] = value;
	pool->n++;
}

int64_t
bddf_pool_at(const struct bddf_pool *pool, uint64_t i)
{
	return pool->pieces[i / PIECE][i % PIECE];
}

void
bddf_pool_set(struct bddf_pool *pool, uint64_t i, int64_t value)
{
	if (!pool->failed)
		pool->pieces[i / PIECE][i % PIECE] = value;
}

void
bddf_pool_free(struct bddf_pool *pool)
{
	for (size_t i = 0; i < pool->n_pieces; i++)
		free(pool->pieces[i]);
	free(pool->pieces);
	*pool = (struct bddf_pool){ 0 };
}

/* Step over n bytes. */
static enum bddf_read
advance(struct input *in, uint64_t n)
{
	if (n > in->left)
		return BDDF_BROKEN;
	if (n > in->have)
		return BDDF_CUT;
	in->p += n;
	in->have -= (size_t)n;
	in->left -= (size_t)n;
	return BDDF_WHOLE;
}

static enum bddf_read
varint(struct input *in, uint64_t *out)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 10; i++) {
		uint8_t byte;

		if (i >= in->left)
			return BDDF_BROKEN;
		if (i >= in->have)
			return BDDF_CUT;
		byte = in->p[i];
		/* The tenth byte holds one bit. */
		if (i == 9 && byte > 1)
			return BDDF_BROKEN;
		v |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (byte < 0x80) {
			*out = v;
			return advance(in, i + 1);
		}
	}
	return BDDF_BROKEN;
}

/* The next n bytes as an input of their own; *in steps over them, as far as
 * they are there. */
static enum bddf_read
message(struct input *in, struct input *inner)
{
	uint64_t n;
	enum bddf_read r = varint(in, &n);

	if (r != BDDF_WHOLE)
		return r;
	if (n > in->left)
		return BDDF_BROKEN;
	*inner = (struct input){
		.p = in->p,
		.have = n < in->have ? (size_t)n : in->have,
		.left = (size_t)n,
	};
	in->p += inner->have;
	in->have -= inner->have;
	in->left -= inner->left;
	return BDDF_WHOLE;
}

static enum bddf_read
unknown(struct input *in, unsigned wire)
{
	struct input inner;
	enum bddf_read r;
	uint64_t v;

	switch (wire) {
	case VARINT: return varint(in, &v);
	case FIXED64: return advance(in, 8);
	case FIXED32: return advance(in, 4);
	case BYTES:
		r = message(in, &inner);
		if (r != BDDF_WHOLE)
			return r;
		return inner.have < inner.left ? BDDF_CUT : BDDF_WHOLE;
	}
	return BDDF_BROKEN;
}

static enum bddf_read
timestamp(struct input *in, struct bddf_data *out)
{
	while (in->left > 0) {
		enum bddf_read r;
		uint64_t key, v;

		r = varint(in, &key);
		if (r != BDDF_WHOLE)
			return r;
		if (key >> 32 != 0 || key >> 3 == 0)
			return BDDF_BROKEN;
		switch (key) {
		case 1 << 3 | VARINT:
			r = varint(in, &v);
			if (r == BDDF_WHOLE)
				out->sec = (int64_t)v;
			break;
		case 2 << 3 | VARINT:
			r = varint(in, &v);
			/* Other parsers cut it down to 32 bits. */
			if (r == BDDF_WHOLE)
				out->nanos = v > INT32_MAX ? -1 : (int32_t)v;
			break;
		default:
			if (key >> 3 <= 2)
				return BDDF_BROKEN;
			out->strange = true;
			r = unknown(in, key & 7);
		}
		if (r != BDDF_WHOLE)
			return r;
	}
	return BDDF_WHOLE;
}

static enum bddf_read
one_extra(struct input *in, struct bddf_data *out, struct bddf_pool *pool)
{
	uint64_t v;
	enum bddf_read r = varint(in, &v);

	if (r != BDDF_WHOLE)
		return r;
	out->n_extra++;
	if (pool != NULL)
		bddf_pool_push(pool, (int64_t)v);
	return BDDF_WHOLE;
}

/* One field of the message, its key read. */
static enum bddf_read
field(struct input *in, uint64_t key, struct bddf_data *out,
    struct bddf_pool *pool)
{
	struct input inner = { 0 };
	enum bddf_read r;
	uint64_t v;

	switch (key) {
	case 1 << 3 | VARINT:
		r = varint(in, &v);
		if (r == BDDF_WHOLE && v > UINT32_MAX)
			return BDDF_BROKEN;
		if (r == BDDF_WHOLE)
			out->series = (uint32_t)v;
		return r;
	case 2 << 3 | BYTES:
		r = message(in, &inner);
		if (r == BDDF_WHOLE) {
			out->has_time = true;
			r = timestamp(&inner, out);
		}
		return r;
	case 3 << 3 | BYTES:
		r = message(in, &inner);
		while (r == BDDF_WHOLE && inner.left > 0)
			r = one_extra(&inner, out, pool);
		return r;
	case 3 << 3 | VARINT: return one_extra(in, out, pool);
	}
	if (key >> 3 <= 3)
		return BDDF_BROKEN;
	out->strange = true;
	return unknown(in, key & 7);
}

enum bddf_read
bddf_data_get(const uint8_t *p, size_t have, size_t size, struct bddf_data *out,
    struct bddf_pool *pool)
{
	struct input in = { .p = p, .have = have, .left = size };

	*out = (struct bddf_data){ 0 };
	while (in.left > 0) {
		uint64_t key;
		enum bddf_read r = varint(&in, &key);

		if (r != BDDF_WHOLE)
			return r;
		if (key >> 32 != 0 || key >> 3 == 0)
			return BDDF_BROKEN;
		r = field(&in, key, out, pool);
		if (r != BDDF_WHOLE)
			return r;
	}
	return BDDF_WHOLE;
}

bool
bddf_data_time_ok(const struct bddf_data *d)
{
	return d->nanos >= 0 && d->nanos < 1000000000;
}
