/* detect.c - which kind of stream begins here? */
#include <string.h>

#include "codec/bz2/bz2_bits.h"
#include "codec/codec.h"
#include "codec/lz4/lz4_frame.h"
#include "codec/zstd/zstd_frame.h"

#define BZ2_HEADER 4 /* bytes: "BZh" and a digit */

static bool
is_lz4(const uint8_t *in, size_t n)
{
	struct slv_lz4_frame frame;

	return slv_lz4_head(in, n, &frame) == SLV_LZ4_HEAD;
}

static bool
is_bz2(const uint8_t *in, size_t n)
{
	const struct slv_span span = { in, n };
	uint64_t mark;

	if (n < BZ2_HEADER + SLV_BZ2_MARK_BITS / 8 || memcmp(in, "BZh", 3) != 0
	    || in[3] < '1' || in[3] > '9')
		return false;
	mark = slv_bz2_bits(span, 8 * BZ2_HEADER, SLV_BZ2_MARK_BITS);
	return mark == SLV_BZ2_BLOCK || mark == SLV_BZ2_END;
}

static bool
is_zstd(const uint8_t *in, size_t n)
{
	struct slv_zstd_frame frame;

	return slv_zstd_head(in, n, &frame) == SLV_ZSTD_HEAD
	    && !frame.skippable;
}

enum slv_codec_kind
slv_codec_detect(const uint8_t *in, size_t n)
{
	static const struct {
		enum slv_codec_kind kind;
		bool (*begins)(const uint8_t *in, size_t n);
	} kinds[] = {
		{ SLV_CODEC_LZ4, is_lz4 },
		{ SLV_CODEC_BZ2, is_bz2 },
		{ SLV_CODEC_ZSTD, is_zstd },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].begins(in, n))
			return kinds[i].kind;
	}
	return SLV_CODEC_NONE;
}
