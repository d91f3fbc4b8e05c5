/* rosrecord_make.c - records that are encoded, not recorded. */
#include "formats/rosrecord/rosrecord_record.h"
#include "support/ros.h"

void
rosrec_make_header(uint64_t index_pos, struct slv_buf *b)
{
	char padding[ROSREC_HEADER_LEN];
	size_t from = slv_ros_begin(b), n;

	slv_ros_put_number(b, "index_pos", index_pos, 8);
	slv_ros_put_number(b, "op", ROSREC_HEADER, 1);
	n = ROSREC_HEADER_LEN - 8 - (b->len - from);
	slv_ros_end(b, from, (uint32_t)n);
	memset(padding, ' ', sizeof(padding));
	slv_buf_add(b, padding, b->failed ? 0 : n);
}

void
rosrec_make_def(
    struct slv_span topic, const struct rosrec_record *like, struct slv_buf *b)
{
	size_t from = slv_ros_begin(b);

	slv_ros_put(b, "def", like->def);
	slv_ros_put(b, "md5", like->md5);
	slv_ros_put_number(b, "op", ROSREC_DEF, 1);
	slv_ros_put(b, "topic", topic);
	slv_ros_put(b, "type", like->type);
	slv_ros_end(b, from, 0);
}

void
rosrec_make_index(struct slv_span topic, uint32_t count, struct slv_buf *b)
{
	size_t from = slv_ros_begin(b);

	slv_ros_put_number(b, "count", count, 4);
	slv_ros_put_number(b, "op", ROSREC_INDEX, 1);
	slv_ros_put(b, "topic", topic);
	slv_ros_put_number(b, "ver", 0, 4);
	slv_ros_end(b, from, count * ROSREC_ENTRY_SIZE);
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
