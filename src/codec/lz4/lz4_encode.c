/* lz4_encode.c - LZ4 frames as the readers of ROS accept them. */
#include <lz4frame.h>

#include "base/mem.h"
#include "codec/codec.h"

enum slv_status
slv_encode_lz4(
    const uint8_t *in, size_t n, struct slv_buf *out, struct slv_err *err)
{
	const LZ4F_preferences_t prefs = {
		.frameInfo = {
			.blockSizeID = LZ4F_max1MB,
			.blockMode = LZ4F_blockIndependent,
			.contentChecksumFlag = LZ4F_contentChecksumEnabled,
		},
	};
	size_t most = LZ4F_compressFrameBound(n, &prefs), len;

	SLV_TRY(slv_grow(&out->at, &out->cap, out->len + most, 1, err));
	len = LZ4F_compressFrame(out->at + out->len, most, in, n, &prefs);
	/* There is room for any: it can only have lacked memory. */
	if (LZ4F_isError(len))
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	out->len += len;
	return SLV_OK;
}
