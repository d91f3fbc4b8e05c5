/* cyber_wire.c - the pieces of a record, taken from bytes. */
#include "formats/cyber/read/cyber_wire.h"

#include <pb_decode.h>
#include <pb_encode.h>

#include "proto/record.pb.h"

#define KEY_SPAN(tag)   ((tag) << 3 | 2)
#define KEY_NUMBER(tag) ((tag) << 3)

enum cyber_read
cyber_varint_get(const uint8_t *p, size_t have, uint64_t *v, size_t *n)
{
	*v = 0;
	for (*n = 0; *n < 10; ++*n) {
		uint8_t b;

		if (*n == have)
			return CYBER_SHORT;
		b = p[*n];
		/* The tenth byte holds one bit. */
		if (*n == 9 && b > 1)
			return CYBER_BAD;
		*v |= (uint64_t)(b & 0x7f) << 7 * *n;
		if (b < 0x80) {
			++*n;
			return b == 0 && *n > 1 ? CYBER_BAD : CYBER_WHOLE;
		}
	}
	return CYBER_BAD;
}

enum cyber_read
cyber_field_get(const uint8_t *p, size_t have, struct cyber_field *f)
{
	uint64_t key;
	size_t n;
	enum cyber_read read = cyber_varint_get(p, have, &key, &f->head);

	if (read != CYBER_WHOLE)
		return read;
	if (key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3
	    || ((key & 7) != 0 && (key & 7) != 2))
		return CYBER_BAD;
	f->tag = (uint32_t)(key >> 3);
	f->is_span = (key & 7) == 2;
	read = cyber_varint_get(p + f->head, have - f->head, &f->number, &n);
	f->head += n;
	f->len = f->is_span ? f->number : 0;
	return read;
}

/* Take a field that must be this one, after *at bytes, which are passed by. */
static enum cyber_read
expect(const uint8_t *p, size_t have, size_t *at, uint8_t key, uint64_t *v)
{
	enum cyber_read read;
	size_t n;

	if (*at == have)
		return CYBER_SHORT;
	if (p[*at] != key)
		return CYBER_BAD;
	++*at;
	read = cyber_varint_get(p + *at, have - *at, v, &n);
	*at += n;
	return read;
}

/* A SingleMessage after *at bytes. */
static enum cyber_read
inner_get(const uint8_t *p, size_t have, size_t at, struct cyber_message *m)
{
	uint64_t v = 0;
	enum cyber_read read = expect(p, have, &at, KEY_SPAN(1), &v);

	if (read != CYBER_WHOLE)
		return read;
	if (v == 0 || v > CYBER_NAME_MAX)
		return CYBER_BAD;
	m->name = at;
	m->name_len = (size_t)v;
	if (have - at < v)
		return CYBER_SHORT;
	at += (size_t)v;
	read = expect(p, have, &at, KEY_NUMBER(2), &m->time);
	if (read == CYBER_WHOLE)
		read = expect(p, have, &at, KEY_SPAN(3), &m->content);
	if (read != CYBER_WHOLE)
		return read;
	m->head = at;
	return m->content < CYBER_CONTENT_MAX
	        && cyber_name_ok(p + m->name, m->name_len)
	    ? CYBER_WHOLE
	    : CYBER_BAD;
}

enum cyber_read
cyber_message_get(const uint8_t *p, size_t have, struct cyber_message *m)
{
	uint64_t len = 0;
	size_t at = 0;
	enum cyber_read read = expect(p, have, &at, KEY_SPAN(1), &len);

	if (read != CYBER_WHOLE)
		return read;
	if (len < CYBER_INNER_MIN || len >= CYBER_CONTENT_MAX)
		return CYBER_BAD;
	read = inner_get(p, have, at, m);
	if (read == CYBER_WHOLE && cyber_message_span(m) != at + len)
		return CYBER_BAD;
	return read;
}

/* How long a varint is. */
static size_t
varint_len(uint64_t v)
{
	size_t n = 1;

	for (; v > 0x7f; v >>= 7)
		n++;
	return n;
}

bool
cyber_message_guess(const uint8_t *p, size_t have, struct cyber_message *m)
{
	for (size_t lead = 2; lead <= 6 && lead < have; lead++) {
		/* A key, and a length that is as long as it must be. */
		if (inner_get(p, have, lead, m) == CYBER_WHOLE
		    && lead == 1 + varint_len(cyber_message_span(m) - lead))
			return true;
	}
	return false;
}

bool
cyber_name_ok(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] < 0x20 || p[i] == 0x7f)
			return false;
	}
	return n > 0;
}

bool
cyber_claim_get(
    const uint8_t *p, size_t have, size_t *n, struct cyber_claim *claim)
{
	apollo_cyber_proto_ChunkHeader h =
	    apollo_cyber_proto_ChunkHeader_init_zero;
	size_t len = *n, at = 0, size = 0;
	pb_istream_t in;
	uint64_t v;

	/* As many fields as come in order. */
	for (uint8_t tag = 1; len == 0 && tag <= 4; tag++) {
		if (expect(p, have, &at, (uint8_t)KEY_NUMBER(tag), &v)
		    != CYBER_WHOLE)
			return false;
	}
	len = len == 0 ? at : len;
	if (len > have)
		return false;
	in = pb_istream_from_buffer(p, len);
	if (!pb_decode(&in, apollo_cyber_proto_ChunkHeader_fields, &h)
	    || !pb_get_encoded_size(
	        &size, apollo_cyber_proto_ChunkHeader_fields, &h)
	    || size != len || !h.has_begin_time || !h.has_end_time
	    || !h.has_message_number)
		return false;
	*claim = (struct cyber_claim){
		h.begin_time,
		h.end_time,
		h.message_number,
		h.raw_size,
	};
	*n = len;
	return true;
}

enum cyber_read
cyber_decl_get(const uint8_t *p, size_t have, unsigned first,
    struct cyber_decl *d, uint64_t *len)
{
	uint64_t v[3] = { 0 };
	size_t at[3] = { 0 }, end = 0;

	for (unsigned i = 0; i < 3; i++) {
		enum cyber_read read =
		    expect(p, have, &end, (uint8_t)KEY_SPAN(first + i), &v[i]);

		if (read != CYBER_WHOLE)
			return read;
		at[i] = end;
		if (i == 2)
			break;
		if (v[i] > CYBER_NAME_MAX)
			return CYBER_BAD;
		if (have - end < v[i])
			return CYBER_SHORT;
		end += (size_t)v[i];
	}
	*d = (struct cyber_decl){
		at[0],
		(size_t)v[0],
		at[1],
		(size_t)v[1],
		at[2],
		v[2],
	};
	*len = end + v[2];
	return v[2] < CYBER_CONTENT_MAX && cyber_name_ok(p + at[0], d->name_len)
	        && (d->type_len == 0 || cyber_name_ok(p + at[1], d->type_len))
	    ? CYBER_WHOLE
	    : CYBER_BAD;
}

enum cyber_read
cyber_entry_get(const uint8_t *p, size_t have, struct cyber_entry_head *e)
{
	uint64_t len = 0, type = 0;
	size_t at = 0, start;
	struct cyber_field f;
	enum cyber_read read = expect(p, have, &at, KEY_SPAN(1), &len);

	start = at;
	if (read == CYBER_WHOLE)
		read = expect(p, have, &at, KEY_NUMBER(1), &type);
	if (read == CYBER_WHOLE)
		read = expect(p, have, &at, KEY_NUMBER(2), &e->position);
	if (read == CYBER_WHOLE)
		read = cyber_field_get(p + at, have - at, &f);
	if (read != CYBER_WHOLE)
		return read;
	at += f.head;
	e->type = (uint32_t)type;
	e->tag = f.tag;
	e->head = at;
	e->len = f.len;
	return f.is_span && type < CYBER_TYPES && f.tag >= 101 && f.tag <= 103
	        && len < CYBER_CONTENT_MAX && len == at - start + f.len
	    ? CYBER_WHOLE
	    : CYBER_BAD;
}

bool
cyber_entry_claim_get(const uint8_t *p, size_t n, struct cyber_claim *claim)
{
	apollo_cyber_proto_ChunkHeaderCache c =
	    apollo_cyber_proto_ChunkHeaderCache_init_zero;
	pb_istream_t in = pb_istream_from_buffer(p, n);

	if (!pb_decode(&in, apollo_cyber_proto_ChunkHeaderCache_fields, &c))
		return false;
	*claim = (struct cyber_claim){
		c.begin_time,
		c.end_time,
		c.message_number,
		c.raw_size,
	};
	return true;
}

bool
cyber_entry_body_get(const uint8_t *p, size_t n, uint64_t *messages)
{
	apollo_cyber_proto_ChunkBodyCache c =
	    apollo_cyber_proto_ChunkBodyCache_init_zero;
	pb_istream_t in = pb_istream_from_buffer(p, n);

	if (!pb_decode(&in, apollo_cyber_proto_ChunkBodyCache_fields, &c))
		return false;
	*messages = c.message_number;
	return true;
}
