/* wire.c - messages of protobuf, encoded field by field. */
#include "support/wire.h"

enum { VARINT = 0, BYTES = 2 };

void
slv_wire_varint(struct slv_buf *b, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (uint8_t)(v | 0x80);
	bytes[n++] = (uint8_t)v;
	slv_buf_add(b, bytes, n);
}

void
slv_wire_number(struct slv_buf *b, uint32_t tag, uint64_t v)
{
	slv_wire_varint(b, (uint64_t)tag << 3 | VARINT);
	slv_wire_varint(b, v);
}

void
slv_wire_span(struct slv_buf *b, uint32_t tag, uint64_t n)
{
	slv_wire_varint(b, (uint64_t)tag << 3 | BYTES);
	slv_wire_varint(b, n);
}

void
slv_wire_text(struct slv_buf *b, uint32_t tag, struct slv_span text)
{
	slv_wire_span(b, tag, text.len);
	slv_buf_add(b, text.at, text.len);
}

void
slv_wire_message(struct slv_buf *outer, uint32_t tag, struct slv_buf *inner)
{
	outer->failed |= inner->failed;
	slv_wire_text(outer, tag, (struct slv_span){ inner->at, inner->len });
	slv_buf_free(inner);
}
