/* cyber_make.c - pieces of a record made anew, as the C++ writer makes them. */
#include "formats/cyber/read/cyber_wire.h"

#include <pb_encode.h>

#include "proto/record.pb.h"

#define SMALL 128 /* bytes; no message of a few numbers has more */

static void
put_varint(struct slv_buf *b, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;

	do {
		bytes[n++] = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v > 0);
	slv_buf_add(b, bytes, n);
}

static void
put_number(struct slv_buf *b, unsigned tag, uint64_t v)
{
	put_varint(b, (uint64_t)tag << 3);
	put_varint(b, v);
}

static void
put_span(struct slv_buf *b, unsigned tag, uint64_t len)
{
	put_varint(b, (uint64_t)tag << 3 | 2);
	put_varint(b, len);
}

/* A message of numbers. */
static void
put_message(struct slv_buf *b, const pb_msgdesc_t *fields, const void *m)
{
	uint8_t bytes[SMALL];
	pb_ostream_t out = pb_ostream_from_buffer(bytes, sizeof(bytes));

	b->failed |= !pb_encode(&out, fields, m);
	slv_buf_add(b, bytes, out.bytes_written);
}

void
cyber_put_section(struct slv_buf *b, enum cyber_type type, uint64_t size)
{
	uint8_t bytes[CYBER_SECTION];

	slv_put_le64(bytes, type);
	slv_put_le64(bytes + 8, size);
	slv_buf_add(b, bytes, sizeof(bytes));
}

void
cyber_put_numbers(struct slv_buf *b, const uint64_t *v, unsigned n)
{
	for (unsigned tag = 1; tag <= n; tag++)
		put_number(b, tag, v[tag]);
}

void
cyber_put_claim(struct slv_buf *b, const struct cyber_claim *claim)
{
	apollo_cyber_proto_ChunkHeader h = {
		.has_begin_time = true,
		.begin_time = claim->begin,
		.has_end_time = true,
		.end_time = claim->end,
		.has_message_number = true,
		.message_number = claim->messages,
		.has_raw_size = true,
		.raw_size = claim->raw,
	};

	put_message(b, apollo_cyber_proto_ChunkHeader_fields, &h);
}

void
cyber_put_decl(struct slv_buf *b, unsigned first, struct slv_span name,
    struct slv_span type, uint64_t desc_len)
{
	put_span(b, first, name.len);
	slv_buf_add(b, name.at, name.len);
	put_span(b, first + 1, type.len);
	slv_buf_add(b, type.at, type.len);
	put_span(b, first + 2, desc_len);
}

void
cyber_put_chunk_entry(struct slv_buf *b, enum cyber_type type,
    uint64_t position, const struct cyber_claim *claim)
{
	apollo_cyber_proto_SingleIndex e =
	    apollo_cyber_proto_SingleIndex_init_zero;
	size_t size = 0;

	e.has_type = e.has_position = true;
	e.type = (apollo_cyber_proto_SectionType)type;
	e.position = position;
	if (type == CYBER_CHUNK_HEADER) {
		e.which_cache =
		    apollo_cyber_proto_SingleIndex_chunk_header_cache_tag;
		e.cache.chunk_header_cache =
		    (apollo_cyber_proto_ChunkHeaderCache){
			    .has_message_number = true,
			    .message_number = claim->messages,
			    .has_begin_time = true,
			    .begin_time = claim->begin,
			    .has_end_time = true,
			    .end_time = claim->end,
			    .has_raw_size = true,
			    .raw_size = claim->raw,
		    };
	} else {
		e.which_cache =
		    apollo_cyber_proto_SingleIndex_chunk_body_cache_tag;
		e.cache.chunk_body_cache = (apollo_cyber_proto_ChunkBodyCache){
			.has_message_number = true,
			.message_number = claim->messages,
		};
	}
	b->failed |= !pb_get_encoded_size(
	    &size, apollo_cyber_proto_SingleIndex_fields, &e);
	put_span(b, 1, size);
	put_message(b, apollo_cyber_proto_SingleIndex_fields, &e);
}

void
cyber_put_channel_entry(struct slv_buf *b, uint64_t position, uint64_t messages,
    struct slv_span name, struct slv_span type, uint64_t desc_len)
{
	struct slv_buf cache = { 0 }, entry = { 0 };

	put_number(&cache, 1, messages);
	cyber_put_decl(&cache, 2, name, type, desc_len);
	put_number(&entry, 1, CYBER_CHANNEL);
	put_number(&entry, 2, position);
	put_span(&entry, 101, cache.len + desc_len);
	put_span(b, 1, entry.len + cache.len + desc_len);
	slv_buf_add(b, entry.at, entry.len);
	slv_buf_add(b, cache.at, cache.len);
	b->failed |= cache.failed || entry.failed;
	slv_buf_free(&cache);
	slv_buf_free(&entry);
}
