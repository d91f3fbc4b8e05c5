/* rosbag_make.c - encode records as the C++ library does: the fields in the
 * order of their names.
 */
#include "formats/rosbag/build/rosbag_make.h"

#include "support/ros.h"

static void
put_time(struct slv_buf *b, const char *name, struct rosbag_time t)
{
	slv_ros_put_number(b, name, (uint64_t)t.nsec << 32 | t.sec, 8);
}

void
rosbag_make_header(
    uint64_t index_pos, uint32_t conns, uint32_t chunks, struct slv_buf *b)
{
	char padding[ROSBAG_PAGE];
	size_t from = slv_ros_begin(b), n;

	slv_ros_put_number(b, "chunk_count", chunks, 4);
	slv_ros_put_number(b, "conn_count", conns, 4);
	slv_ros_put_number(b, "index_pos", index_pos, 8);
	slv_ros_put_number(b, "op", ROSBAG_BAG_HEADER, 1);
	n = ROSBAG_PAGE - (b->len - from);
	slv_ros_end(b, from, (uint32_t)n);
	memset(padding, ' ', sizeof(padding));
	slv_buf_add(b, padding, b->failed ? 0 : n);
}

void
rosbag_make_chunk(
    enum slv_codec_kind codec, uint32_t size, uint32_t len, struct slv_buf *b)
{
	const uint8_t *name = (const uint8_t *)rosbag_codecs[codec];
	size_t from = slv_ros_begin(b);

	slv_ros_put(b, "compression",
	    (struct slv_span){ name, strlen(rosbag_codecs[codec]) });
	slv_ros_put_number(b, "op", ROSBAG_CHUNK, 1);
	slv_ros_put_number(b, "size", size, 4);
	slv_ros_end(b, from, len);
}

void
rosbag_make_index(uint32_t conn, uint32_t count, struct slv_buf *b)
{
	size_t from = slv_ros_begin(b);

	slv_ros_put_number(b, "conn", conn, 4);
	slv_ros_put_number(b, "count", count, 4);
	slv_ros_put_number(b, "op", ROSBAG_INDEX, 1);
	slv_ros_put_number(b, "ver", 1, 4);
	slv_ros_end(b, from, count * ROSBAG_ENTRY_SIZE);
}

void
rosbag_make_conn(uint32_t conn, struct slv_span topic,
    const struct slv_buf *data, struct slv_buf *b)
{
	size_t from = slv_ros_begin(b);

	slv_ros_put_number(b, "conn", conn, 4);
	slv_ros_put_number(b, "op", ROSBAG_CONN, 1);
	slv_ros_put(b, "topic", topic);
	slv_ros_end(b, from, (uint32_t)data->len);
	slv_buf_add(b, data->at, data->len);
	b->failed |= data->failed;
}

/* Offset of the value of a header field in a record; 0: none. */
static uint32_t
value_at(const uint8_t *record, const char *name)
{
	struct slv_span value =
	    slv_ros_value(record + 4, slv_get_le32(record), name);

	return value.at != NULL ? (uint32_t)(value.at - record) : 0;
}

void
rosbag_make_numbered(const uint8_t *record, uint32_t conn, uint64_t skip,
    uint64_t n, uint8_t *out)
{
	uint32_t at = value_at(record, "conn");
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
	conn = value_at(out, "conn");
	time = value_at(out, "time");
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
	size_t begun = slv_ros_begin(b);

	slv_ros_put_number(b, "chunk_pos", chunk, 8);
	slv_ros_put_number(b, "count", count, 4);
	put_time(b, "end_time", to);
	slv_ros_put_number(b, "op", ROSBAG_INFO, 1);
	put_time(b, "start_time", from);
	slv_ros_put_number(b, "ver", 1, 4);
	slv_ros_end(b, begun, count * ROSBAG_COUNT_SIZE);
}
