/* lz4_encode.c - write LZ4 frames. */
#include <lz4frame.h>

#include "base/mem.h"
#include "codec/codec.h"

static const LZ4F_frameInfo_t flavours[SLV_LZ4_FLAVOURS] = {
	[SLV_LZ4_ROS] = {
		.blockSizeID = LZ4F_max1MB,
		.blockMode = LZ4F_blockIndependent,
		.contentChecksumFlag = LZ4F_contentChecksumEnabled,
	},
	[SLV_LZ4_PLAIN] = {
		.blockSizeID = LZ4F_max64KB,
		.blockMode = LZ4F_blockIndependent,
	},
};

enum slv_status
slv_encode_lz4(const uint8_t *in, size_t n, enum slv_lz4_flavour flavour,
    struct slv_buf *out, struct slv_err *err)
{
	const LZ4F_preferences_t prefs = { .frameInfo = flavours[flavour] };
	size_t most = LZ4F_compressFrameBound(n, &prefs), len;

	SLV_TRY(slv_grow(&out->at, &out->cap, out->len + most, 1, err));
	len = LZ4F_compressFrame(out->at + out->len, most, in, n, &prefs);
	/* There is room for any: it can only have lacked memory. */
	if (LZ4F_isError(len))
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	out->len += len;
	return SLV_OK;
}
