/* rosbag_cut.c - a bag with only some of its messages, or with those of several. */
#include "core/format/cutting.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/rosbag_state.h"
#include "support/ros.h"

/* As a recorder leaves it that was stopped. */
static void
begin(struct slv_buf *out)
{
	slv_buf_add(out, ROSBAG_MAGIC, ROSBAG_MAGIC_SIZE);
	rosbag_make_header(0, 0, 0, out);
}

static enum slv_status
chunk(const struct slv_cut_chunk *c, struct slv_buf *out, struct slv_err *err)
{
	uint32_t n = (uint32_t)c->content->len;

	if (c->content->len > UINT32_MAX)
		return slv_fail(err, SLV_E_LIMIT, "no chunk is so long");
	rosbag_make_chunk(SLV_CODEC_NONE, n, n, out);
	slv_buf_add(out, c->content->at, n);
	return slv_buf_check(out, err);
}

/* Both records have the number in the field "conn". */
static enum slv_status
renumber(const struct slv_scan *s, struct slv_buf *head,
    const struct slv_numbers *to, struct slv_err *err)
{
	struct slv_span conn;

	(void)s;
	conn = slv_ros_value(head->at + 4, slv_get_le32(head->at), "conn");
	if (conn.at == NULL || conn.len != 4)
		return slv_fail(
		    err, SLV_E_BUG, "a record has no number of a connection");
	slv_put_le32(head->at + (conn.at - head->at), to->channel);
	return SLV_OK;
}

const struct slv_cutting rosbag_cutting = {
	.joins = true,
	.sorts = true,
	.declares_inside = true,
	.renumber = renumber,
	.begin = begin,
	.chunk = chunk,
};
