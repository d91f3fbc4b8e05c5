/* mcap_cut.c - a file with only some of its messages. */
#include "core/format/cutting.h"
#include "digest/crc32.h"
#include "formats/mcap/build/mcap_make.h"

static enum slv_status
chunk(const struct slv_cut_chunk *c, struct slv_buf *out, struct slv_err *err)
{
	const struct mcap_claim claim = {
		.start = c->from,
		.stop = c->to,
		.size = c->content->len,
		.stored = c->content->len,
		.crc = slv_crc32(0, c->content->at, c->content->len),
	};

	mcap_make_head(out, &claim, SLV_CODEC_NONE);
	slv_buf_add(out, c->content->at, c->content->len);
	return slv_buf_check(out, err);
}

const struct slv_cutting mcap_cutting = {
	.declares_inside = true,
	.chunk = chunk,
};
