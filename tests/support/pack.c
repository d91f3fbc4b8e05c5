/* pack.c - streams to be decoded, by the compressors of others. */
#include "support/pack.h"

#include <bzlib.h>
#include <lz4frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

static size_t
must(size_t code)
{
	if (!LZ4F_isError(code))
		return code;
	fprintf(stderr, "lz4: %s\n", LZ4F_getErrorName(code));
	exit(99);
}

void
pack_lz4(struct blob *to, const uint8_t *in, size_t n, struct pack_lz4 how)
{
	LZ4F_preferences_t prefs = {
		.frameInfo = {
			.blockSizeID = how.block > 0 ? how.block : LZ4F_max64KB,
			.blockMode = how.linked ? LZ4F_blockLinked
			                        : LZ4F_blockIndependent,
			.contentChecksumFlag = !how.no_sum,
			.contentSize = how.content_size ? n : 0,
			.blockChecksumFlag = how.block_sums,
		},
		.compressionLevel = how.level,
	};
	size_t room = LZ4F_compressBound(n, &prefs) + 64;
	uint8_t *out = must_alloc(room);
	LZ4F_cctx *ctx;

	must(LZ4F_createCompressionContext(&ctx, LZ4F_VERSION));
	blob_add(to, out, must(LZ4F_compressBegin(ctx, out, room, &prefs)));
	while (n > 0) {
		size_t some = how.flush > 0 && how.flush < n ? how.flush : n;

		blob_add(to, out,
		    must(LZ4F_compressUpdate(ctx, out, room, in, some, NULL)));
		blob_add(to, out, must(LZ4F_flush(ctx, out, room, NULL)));
		in += some;
		n -= some;
	}
	blob_add(to, out, must(LZ4F_compressEnd(ctx, out, room, NULL)));
	LZ4F_freeCompressionContext(ctx);
	free(out);
}

void
pack_bz2(struct blob *to, const uint8_t *in, size_t n, int level)
{
	unsigned len = (unsigned)(n + n / 100 + 600);
	char *out = must_alloc(len);
	uint8_t none = 0;

	/* It does not write to its input, which it wants to see. */
	if (BZ2_bzBuffToBuffCompress(out, &len,
	        (char *)(uintptr_t)(n > 0 ? in : &none), (unsigned)n, level, 0,
	        0)
	    != BZ_OK) {
		fprintf(stderr, "bzip2 does not compress\n");
		exit(99);
	}
	blob_add(to, out, len);
	free(out);
}

static size_t
must_zstd(size_t code)
{
	if (!ZSTD_isError(code))
		return code;
	fprintf(stderr, "zstd: %s\n", ZSTD_getErrorName(code));
	exit(99);
}

void
pack_zstd(struct blob *to, const uint8_t *in, size_t n, struct pack_zstd how)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();
	ZSTD_outBuffer out = { .size = 2 * ZSTD_compressBound(n) + 64 * n };
	/* What is given whole is a frame with a size. */
	bool whole = how.flush == 0 && !how.no_size;
	ZSTD_inBuffer part = { 0 };

	out.dst = must_alloc(out.size);
	must_zstd(ZSTD_CCtx_setParameter(
	    ctx, ZSTD_c_compressionLevel, how.level > 0 ? how.level : 3));
	must_zstd(ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, how.sum));
	must_zstd(ZSTD_CCtx_setParameter(ctx, ZSTD_c_windowLog, how.window));
	if (!how.no_size)
		must_zstd(ZSTD_CCtx_setPledgedSrcSize(ctx, n));
	while (n > 0 && !whole) {
		size_t some = how.flush > 0 && how.flush < n ? how.flush : n;

		part = (ZSTD_inBuffer){ in, some, 0 };
		must_zstd(ZSTD_compressStream2(ctx, &out, &part, ZSTD_e_flush));
		in += some;
		n -= some;
	}
	part = (ZSTD_inBuffer){ in, n, 0 };
	must_zstd(ZSTD_compressStream2(ctx, &out, &part, ZSTD_e_end));
	blob_add(to, out.dst, out.pos);
	free(out.dst);
	ZSTD_freeCCtx(ctx);
}

void
pack_truth(struct blob *to, size_t n, uint64_t seed)
{
	struct dice dice = { seed };

	while (n > 0) {
		size_t some = dice_below(&dice, 40) + 1;
		size_t back = dice_below(&dice, 3000) + 1;
		bool noise = dice_below(&dice, 3) == 0;

		for (; some > 0 && n > 0; some--, n--)
			blob_byte(to,
			    noise || back > to->n ? (uint8_t)dice_roll(&dice)
			                          : to->at[to->n - back]);
	}
}
