/* make_mcap.c - what is left of an MCAP recording that was not closed. */
#include "support/make_mcap.h"

#include <string.h>

#define MESSAGES 10 /* of a chunk */
#define PAYLOAD  80 /* bytes of the longest */

static void
put(struct blob *b, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		blob_byte(b, (uint8_t)(value >> 8 * i));
}

static void
put_bytes(struct blob *b, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		blob_byte(b, ((const uint8_t *)bytes)[i]);
}

static void
put_text(struct blob *b, const char *text)
{
	put(b, strlen(text), 4);
	put_bytes(b, text, strlen(text));
}

/* Append a record, and empty its content. */
static void
put_record(struct blob *b, uint8_t op, struct blob *content)
{
	blob_byte(b, op);
	put(b, content->n, 8);
	put_bytes(b, content->at, content->n);
	content->n = 0;
}

static void
declare(struct blob *records)
{
	struct blob c = { 0 };

	put(&c, 1, 2);
	put_text(&c, "a/B");
	put_text(&c, "ros2msg");
	put_text(&c, "int32 x");
	put_record(records, 3, &c);
	put(&c, 1, 2);
	put(&c, 1, 2);
	put_text(&c, "/topic");
	put_text(&c, "cdr");
	put(&c, 0, 4);
	put_record(records, 4, &c);
	blob_free(&c);
}

/* The messages of a chunk from `first` on, and the entries of their index. */
static void
add_messages(struct blob *records, struct blob *entries, size_t first)
{
	struct blob c = { 0 };

	for (size_t i = first; i < first + MESSAGES; i++) {
		uint64_t time = 1700000000000000000u + 1000000 * i;

		put(entries, time, 8);
		put(entries, records->n, 8);
		put(&c, 1, 2);
		put(&c, i, 4);
		put(&c, time, 8);
		put(&c, time, 8);
		for (size_t k = 0; k < PAYLOAD / 2 + i % (PAYLOAD / 2); k++)
			blob_byte(&c, (uint8_t)(i * 31 + k * 7));
		put_record(records, 5, &c);
	}
	blob_free(&c);
}

static void
put_chunk(struct blob *out, size_t first)
{
	struct blob records = { 0 }, entries = { 0 }, c = { 0 };
	uint64_t time = 1700000000000000000u + 1000000 * first;

	if (first == 0)
		declare(&records);
	add_messages(&records, &entries, first);
	put(&c, time, 8);
	put(&c, time + 1000000 * (MESSAGES - 1), 8);
	put(&c, records.n, 8);
	put(&c, 0, 4); /* no checksum */
	put_text(&c, "");
	put(&c, records.n, 8);
	put_bytes(&c, records.at, records.n);
	put_record(out, 6, &c);
	put(&c, 1, 2);
	put(&c, entries.n, 4);
	put_bytes(&c, entries.at, entries.n);
	put_record(out, 7, &c);
	blob_free(&c);
	blob_free(&entries);
	blob_free(&records);
}

void
make_mcap(struct blob *out, size_t chunks)
{
	static const char magic[] = "\x89MCAP0\r\n";
	struct blob c = { 0 };

	out->n = 0;
	put_bytes(out, magic, sizeof(magic) - 1);
	put_text(&c, "ros2");
	put_text(&c, "");
	put_record(out, 1, &c);
	blob_free(&c);
	for (size_t i = 0; i < chunks; i++)
		put_chunk(out, i * MESSAGES);
}
