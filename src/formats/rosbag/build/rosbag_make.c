/* rosbag_make.c - records made anew, as the C++ library writes them: the
 * fields in the order of their names.
 */
#include "formats/rosbag/build/rosbag_make.h"

#include <string.h>

void
rosbag_put32(struct slv_buf *b, uint32_t v)
{
	uint8_t bytes[8];

	slv_put_le64(bytes, v);
	slv_buf_add(b, bytes, 4);
}

static void
put_field(struct slv_buf *b, const char *name, const void *value, size_t n)
{
	rosbag_put32(b, (uint32_t)(strlen(name) + 1 + n));
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
put_time(struct slv_buf *b, const char *name, struct rosbag_time t)
{
	put_number(b, name, (uint64_t)t.nsec << 32 | t.sec, 8);
}

void
rosbag_make_header(
    uint64_t index_pos, uint32_t conns, uint32_t chunks, struct slv_buf *b)
{
	enum { FIELDS = 69 };
	char padding[ROSBAG_PAGE - FIELDS];

	memset(padding, ' ', sizeof(padding));
	rosbag_put32(b, FIELDS);
	put_number(b, "chunk_count", chunks, 4);
	put_number(b, "conn_count", conns, 4);
	put_number(b, "index_pos", index_pos, 8);
	put_number(b, "op", ROSBAG_BAG_HEADER, 1);
	rosbag_put32(b, sizeof(padding));
	slv_buf_add(b, padding, sizeof(padding));
}

void
rosbag_make_chunk(
    enum slv_codec_kind codec, uint32_t size, uint32_t len, struct slv_buf *b)
{
	static const char *const names[] = {
		[SLV_CODEC_NONE] = "none",
		[SLV_CODEC_LZ4] = "lz4",
		[SLV_CODEC_BZ2] = "bz2",
	};
	const char *name = names[codec];

	rosbag_put32(b, 37 + (uint32_t)strlen(name));
	put_field(b, "compression", name, strlen(name));
	put_number(b, "op", ROSBAG_CHUNK, 1);
	put_number(b, "size", size, 4);
	rosbag_put32(b, len);
}

void
rosbag_make_index(uint32_t conn, uint32_t count, struct slv_buf *b)
{
	rosbag_put32(b, 47);
	put_number(b, "conn", conn, 4);
	put_number(b, "count", count, 4);
	put_number(b, "op", ROSBAG_INDEX, 1);
	put_number(b, "ver", 1, 4);
	rosbag_put32(b, count * ROSBAG_ENTRY_SIZE);
}

void
rosbag_make_conn(uint32_t conn, struct slv_span topic,
    const struct slv_buf *data, struct slv_buf *b)
{
	rosbag_put32(b, 31 + (uint32_t)topic.len);
	put_number(b, "conn", conn, 4);
	put_number(b, "op", ROSBAG_CONN, 1);
	put_field(b, "topic", topic.at, topic.len);
	rosbag_put32(b, (uint32_t)data->len);
	slv_buf_add(b, data->at, data->len);
	b->failed |= data->failed;
}

uint32_t
rosbag_value_at(const uint8_t *record, const char *name)
{
	uint32_t at = 4, end = 4 + slv_get_le32(record), name_len, len;

	while (at < end) {
		len = rosbag_field_get(record + at, end - at, &name_len);
		if (len == 0)
			return 0;
		if (name_len == strlen(name)
		    && memcmp(record + at + 4, name, name_len) == 0)
			return at + 4 + name_len + 1;
		at += len;
	}
	return 0;
}

void
rosbag_make_numbered(const uint8_t *record, uint32_t conn, uint64_t skip,
    uint64_t n, uint8_t *out)
{
	uint32_t at = rosbag_value_at(record, "conn");
	uint8_t number[8];

	memcpy(out, record + skip, (size_t)n);
	slv_put_le64(number, conn);
	for (uint32_t i = 0; at > 0 && i < 4; i++) {
		if (at + i >= skip && at + i - skip < n)
			out[at + i - skip] = number[i];
	}
}

bool
rosbag_message_head(
    const uint8_t *like, uint32_t id, struct rosbag_time t, uint8_t *out)
{
	uint32_t conn, time;
	uint8_t number[8];

	if (slv_get_le32(like) + 4 != ROSBAG_MESSAGE_FIELDS)
		return false;
	memcpy(out, like, ROSBAG_MESSAGE_FIELDS);
	conn = rosbag_value_at(out, "conn");
	time = rosbag_value_at(out, "time");
	if (conn == 0 || time == 0)
		return false;
	slv_put_le64(number, id);
	memcpy(out + conn, number, 4);
	slv_put_le64(number, (uint64_t)t.nsec << 32 | t.sec);
	memcpy(out + time, number, 8);
	return true;
}

void
rosbag_make_info(uint64_t chunk, struct rosbag_time from, struct rosbag_time to,
    uint32_t count, struct slv_buf *b)
{
	rosbag_put32(b, 100);
	put_number(b, "chunk_pos", chunk, 8);
	put_number(b, "count", count, 4);
	put_time(b, "end_time", to);
	put_number(b, "op", ROSBAG_INFO, 1);
	put_time(b, "start_time", from);
	put_number(b, "ver", 1, 4);
	rosbag_put32(b, count * ROSBAG_COUNT_SIZE);
}
