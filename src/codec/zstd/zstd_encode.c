/* zstd_encode.c - write zstd frames as most writers do. */
#include <zstd.h>

#include "base/mem.h"
#include "codec/codec.h"

enum slv_status
slv_encode_zstd(const uint8_t *in, size_t n, int level, struct slv_buf *out,
    struct slv_err *err)
{
	size_t most = ZSTD_compressBound(n), len;

	SLV_TRY(slv_grow(&out->at, &out->cap, out->len + most, 1, err));
	len = ZSTD_compress(out->at + out->len, most, in, n, level);
	/* There is room for any: it can only have lacked memory. */
	if (ZSTD_isError(len))
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	out->len += len;
	return SLV_OK;
}
