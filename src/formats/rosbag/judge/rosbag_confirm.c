/* rosbag_confirm.c - is this what the checksum of a chunk is of?
 *
 * Compressed ones have one; what is not compressed nothing can confirm.
 */
#include "formats/rosbag/rosbag_state.h"

/* Whether the n bytes are records that a chunk may hold, from end to end. */
static bool
are_records(const uint8_t *p, size_t n)
{
	struct rosbag_record r;
	size_t at = 0;

	while (at < n && rosbag_inner_get(p + at, n - at, &r))
		at += rosbag_span(&r);
	return n > 0 && at == n;
}

enum slv_status
rosbag_confirm(const struct slv_scan *s, const uint8_t *chunk, size_t n,
    uint64_t *len, bool *yes, struct slv_err *err)
{
	struct slv_decode d;
	struct rosbag_record r;

	*len = 0;
	*yes = false;
	if (rosbag_record_get(chunk, n, &r) != ROSBAG_WHOLE
	    || r.op != ROSBAG_CHUNK || r.codec == SLV_CODEC_NONE)
		return SLV_OK;
	*len = rosbag_span(&r);
	if (*len > n)
		return SLV_OK;
	SLV_TRY(slv_decode(r.codec, chunk + rosbag_head(&r), r.data, r.size,
	    rosbag_chunk_max(s), &d, err));
	*yes = d.how == SLV_DECODED_WHOLE && d.pieces->proven
	    && d.used == r.data && d.out.len == r.size
	    && are_records(d.out.at, d.out.len);
	slv_decode_free(&d);
	return SLV_OK;
}
