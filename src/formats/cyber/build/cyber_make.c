/* cyber_make.c - encode parts of a record as the C++ writer does. */
#include "formats/cyber/read/cyber_wire.h"

#include "support/wire.h"

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
		slv_wire_number(b, tag, v[tag]);
}

void
cyber_put_claim(struct slv_buf *b, const struct cyber_claim *claim)
{
	const uint64_t v[] = { 0, claim->begin, claim->end, claim->messages,
		claim->raw };

	cyber_put_numbers(b, v, 4);
}

void
cyber_put_decl(struct slv_buf *b, unsigned first, struct slv_span name,
    struct slv_span type, uint64_t desc_len)
{
	slv_wire_text(b, first, name);
	slv_wire_text(b, first + 1, type);
	slv_wire_span(b, first + 2, desc_len);
}

void
cyber_put_chunk_entry(struct slv_buf *b, enum cyber_type type,
    uint64_t position, const struct cyber_claim *claim)
{
	const uint64_t v[] = { 0, claim->messages, claim->begin, claim->end,
		claim->raw };
	bool head = type == CYBER_CHUNK_HEADER;
	struct slv_buf cache = { 0 }, entry = { 0 };

	slv_wire_number(&entry, 1, type);
	slv_wire_number(&entry, 2, position);
	cyber_put_numbers(&cache, v, head ? 4 : 1);
	slv_wire_message(&entry, head ? 102 : 103, &cache);
	slv_wire_message(b, 1, &entry);
}

void
cyber_put_channel_entry(struct slv_buf *b, uint64_t position, uint64_t messages,
    struct slv_span name, struct slv_span type, uint64_t desc_len)
{
	struct slv_buf cache = { 0 }, entry = { 0 };

	slv_wire_number(&cache, 1, messages);
	cyber_put_decl(&cache, 2, name, type, desc_len);
	slv_wire_number(&entry, 1, CYBER_CHANNEL);
	slv_wire_number(&entry, 2, position);
	slv_wire_span(&entry, 101, cache.len + desc_len);
	slv_wire_span(b, 1, entry.len + cache.len + desc_len);
	slv_buf_add(b, entry.at, entry.len);
	slv_buf_add(b, cache.at, cache.len);
	b->failed |= cache.failed || entry.failed;
	slv_buf_free(&cache);
	slv_buf_free(&entry);
}
