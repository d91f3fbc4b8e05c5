/* rosbag_cut.c - a bag with only some of its messages. */
#include "core/format/cutting.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/rosbag_state.h"

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

const struct slv_cutting rosbag_cutting = {
	.declares_inside = true,
	.begin = begin,
	.chunk = chunk,
};
