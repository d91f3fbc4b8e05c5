/* rosrecord_make.c - records that are encoded, not recorded. */
#include <string.h>

#include "formats/rosrecord/rosrecord_record.h"

static void
put32(struct slv_buf *b, uint32_t v)
{
	uint8_t bytes[4];

	slv_put_le32(bytes, v);
	slv_buf_add(b, bytes, sizeof(bytes));
}

static void
put_field(struct slv_buf *b, const char *name, const void *value, size_t n)
{
	put32(b, (uint32_t)(strlen(name) + 1 + n));
	slv_buf_text(b, name);
	slv_buf_text(b, "=");
	slv_buf_add(b, value, n);
}

/* A number of n bytes, at most 8. */
static void
put_number(struct slv_buf *b, const char *name, uint64_t v, size_t n)
{
	uint8_t bytes[8];

	slv_put_le64(bytes, v);
	put_field(b, name, bytes, n);
}

static void
put_text(struct slv_buf *b, const char *name, struct slv_span text)
{
	put_field(b, name, text.at, text.len);
}

/* The length of the header that begins at `from`, where space was left. */
static void
set_length(struct slv_buf *b, size_t from)
{
	if (!b->failed)
		slv_put_le32(b->at + from, (uint32_t)(b->len - from - 4));
}

void
rosrec_make_header(uint64_t index_pos, struct slv_buf *b)
{
	size_t from = b->len;
	char padding[ROSREC_HEADER_LEN];

	put32(b, 0);
	put_number(b, "index_pos", index_pos, 8);
	put_number(b, "op", ROSREC_HEADER, 1);
	set_length(b, from);
	if (b->failed)
		return;
	memset(padding, ' ', sizeof(padding));
	put32(b, (uint32_t)(ROSREC_HEADER_LEN - 4 - (b->len - from)));
	slv_buf_add(b, padding, ROSREC_HEADER_LEN - (b->len - from));
}

void
rosrec_make_def(
    struct slv_span topic, const struct rosrec_record *like, struct slv_buf *b)
{
	size_t from = b->len;

	put32(b, 0);
	put_text(b, "def", like->def);
	put_text(b, "md5", like->md5);
	put_number(b, "op", ROSREC_DEF, 1);
	put_text(b, "topic", topic);
	put_text(b, "type", like->type);
	set_length(b, from);
	put32(b, 0);
}

void
rosrec_make_index(struct slv_span topic, uint32_t count, struct slv_buf *b)
{
	size_t from = b->len;

	put32(b, 0);
	put_number(b, "count", count, 4);
	put_number(b, "op", ROSREC_INDEX, 1);
	put_text(b, "topic", topic);
	put_number(b, "ver", 0, 4);
	set_length(b, from);
	put32(b, count * ROSREC_ENTRY_SIZE);
}

void
rosrec_make_entry(uint32_t sec, uint32_t nsec, uint64_t off, struct slv_buf *b)
{
	uint8_t bytes[ROSREC_ENTRY_SIZE];

	slv_put_le32(bytes, sec);
	slv_put_le32(bytes + 4, nsec);
	slv_put_le64(bytes + 8, off);
	slv_buf_add(b, bytes, sizeof(bytes));
}
