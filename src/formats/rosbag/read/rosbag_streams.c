/* rosbag_streams.c - where the compressed chunks of a bag are, to be decoded ahead. */
#include "formats/rosbag/rosbag_state.h"

static enum slv_status
find_next(const struct slv_scan *s, uint64_t *at, struct slv_stored *stream,
    uint64_t *after, bool *found, struct slv_err *err)
{
	struct rosbag_record r;

	*found = false;
	for (; *at < s->logical_end && !*found; *at = *after) {
		SLV_TRY(rosbag_look(s, *at, &r, err));
		if (r.read != ROSBAG_WHOLE
		    || (r.op != ROSBAG_CHUNK && r.op != ROSBAG_INDEX)
		    || rosbag_span(&r) > s->logical_end - *at)
			return SLV_OK;
		*after = *at + rosbag_span(&r);
		*found = r.op == ROSBAG_CHUNK && r.codec != SLV_CODEC_NONE
		    && r.data > 0 && r.data <= SLV_STREAM_MAX;
		if (*found)
			*stream = (struct slv_stored){ *after - r.data, *after,
				r.codec, r.size };
	}
	return SLV_OK;
}

const struct slv_stream_rules rosbag_streams = {
	.cached = ROSBAG_CACHED_STREAMS,
	.size_max = UINT32_MAX,
	.next = find_next,
};
