/* fuzz_codec.c - decode any bytes; what is called whole is what the libraries
 * call whole, and nothing else is where it may not be.
 *
 * And what these bytes become as a frame comes back from any cut of it.
 */
#include <bzlib.h>
#include <lz4.h>
#include <lz4frame.h>
#include <string.h>
#include <zstd.h>

#include "codec/codec.h"
#include "codec/lz4/lz4_block.h"
#include "fuzz/fuzz.h"

#define MOST ((size_t)1 << 18) /* bytes that may come out */
#define ROOM 4096              /* ... of a block */

static const uint8_t lz4_magic[] = { 0x04, 0x22, 0x4d, 0x18 };

/* Whether all of the input was used, or what is left begins with zeros for the end
 * mark of a frame and its checksum. */
static bool
is_cut(const struct slv_decode *d, const uint8_t *in, size_t n)
{
	static const uint8_t zeros[8];

	return d->used == n
	    || (n - d->used >= sizeof(zeros)
	        && memcmp(in + d->used, zeros, sizeof(zeros)) == 0);
}

/* The pieces are all of the output, and what they say of it can be. */
static void
check_pieces(const struct slv_decode *d, const uint8_t *in, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < d->n_pieces; i++) {
		const struct slv_decoded_piece *p = &d->pieces[i];

		FUZZ_CHECK(p->out == at && p->len > 0);
		FUZZ_CHECK(p->firm <= p->len);
		FUZZ_CHECK(p->in < p->in_end && p->in_end <= n);
		at += p->len;
	}
	FUZZ_CHECK(at == d->out.len && at <= MOST && d->used <= n);
	FUZZ_CHECK(d->out.cap <= MOST + ((size_t)16 << 20));
	switch (d->how) {
	case SLV_DECODED_WHOLE:
	case SLV_DECODED_CUT:
	case SLV_DECODED_OVER:
		FUZZ_CHECK(d->n_pieces == (at > 0));
		FUZZ_CHECK(at == 0 || (d->pieces->sure && d->pieces->at == 0));
		FUZZ_CHECK(d->how != SLV_DECODED_CUT || is_cut(d, in, n));
		return;
	case SLV_DECODED_BROKEN: return;
	case SLV_DECODED_WRONG: FUZZ_CHECK(d->n_pieces <= 1); return;
	case SLV_DECODEDS: break;
	}
	FUZZ_CHECK(!"one way in which it can come out");
}

/* What the library makes of a frame; how long that is, or SIZE_MAX where it
 * is not whole, or longer than there is room. */
static size_t
lz4_frame(const uint8_t *in, size_t n, uint8_t *out, size_t room, size_t *used)
{
	size_t got = room, code;
	LZ4F_dctx *ctx;

	FUZZ_CHECK(
	    !LZ4F_isError(LZ4F_createDecompressionContext(&ctx, LZ4F_VERSION)));
	*used = n;
	code = LZ4F_decompress(ctx, out, &got, in, used, NULL);
	LZ4F_freeDecompressionContext(ctx);
	/* Frames that are to be skipped are not ours. */
	return code == 0 && memcmp(in, lz4_magic, 4) == 0 ? got : SIZE_MAX;
}

static size_t
lz4_says(const uint8_t *in, size_t n, uint8_t *out, size_t *used)
{
	return lz4_frame(in, n, out, MOST, used);
}

/* Frames, as long as the magic of one follows on the other. */
static size_t
lz4_frames_say(const uint8_t *in, size_t n, uint8_t *out, size_t *used)
{
	size_t len = 0;

	*used = 0;
	do {
		size_t took,
		    got = lz4_frame(
		        in + *used, n - *used, out + len, MOST - len, &took);

		if (got == SIZE_MAX)
			return SIZE_MAX;
		len += got;
		*used += took;
	} while (n - *used >= 4 && memcmp(in + *used, lz4_magic, 4) == 0);
	return len;
}

static size_t
bz2_says(const uint8_t *in, size_t n, uint8_t *out, size_t *used)
{
	bz_stream z = {
		.next_in = (char *)(uintptr_t)in,
		.avail_in = (unsigned)n,
		.next_out = (char *)out,
		.avail_out = MOST,
	};
	int code = BZ2_bzDecompressInit(&z, 0, 0);

	if (code == BZ_OK)
		code = BZ2_bzDecompress(&z);
	BZ2_bzDecompressEnd(&z);
	*used = n - z.avail_in;
	return code == BZ_STREAM_END ? MOST - z.avail_out : SIZE_MAX;
}

static bool
is_zstd(const uint8_t *in, size_t n)
{
	return n >= 4
	    && (memcmp(in, "\x28\xb5\x2f\xfd", 4) == 0
	        || (in[0] >> 4 == 5 && memcmp(in + 1, "\x2a\x4d\x18", 3) == 0));
}

/* Frames, as long as one follows on the other. */
static size_t
zstd_says(const uint8_t *in, size_t n, uint8_t *out, size_t *used)
{
	size_t len = 0;

	*used = 0;
	while (is_zstd(in + *used, n - *used)) {
		const uint8_t *frame = in + *used;
		size_t size = ZSTD_findFrameCompressedSize(frame, n - *used);
		size_t code;

		if (ZSTD_isError(size))
			return SIZE_MAX;
		code = ZSTD_decompress(out + len, MOST - len, frame, size);
		if (ZSTD_isError(code))
			return SIZE_MAX;
		len += code;
		*used += size;
	}
	return *used > 0 ? len : SIZE_MAX;
}

static void
check_stream(enum slv_codec_kind kind, const uint8_t *in, size_t n,
    size_t (*says)(const uint8_t *, size_t, uint8_t *, size_t *))
{
	static uint8_t theirs[MOST];
	struct slv_err err = { 0 };
	struct slv_decode d;
	size_t used, len = n > 0 ? says(in, n, theirs, &used) : SIZE_MAX;

	fuzz_ok(slv_decode(kind, in, n, n % 5 * 1000, MOST, &d, &err), &err);
	check_pieces(&d, in, n);
	FUZZ_CHECK((len != SIZE_MAX) == (d.how == SLV_DECODED_WHOLE));
	if (len != SIZE_MAX) {
		FUZZ_CHECK(d.used == used && d.out.len == len);
		FUZZ_CHECK(memcmp(d.out.at, theirs, len) == 0);
	}
	slv_decode_free(&d);
}

/* Whether the sequence at `at`, which the library takes, has a match that begins
 * 0 bytes back: there is no such match, and the library makes up what it is. */
static bool
is_from_nowhere(const uint8_t *in, size_t n, size_t at)
{
	size_t len = in[at++] >> 4;

	if (len == 15) {
		while (at < n && in[at] == 255)
			len += in[at++];
		len += at < n ? in[at++] : 0;
	}
	at += len;
	return at + 2 <= n && in[at] == 0 && in[at + 1] == 0;
}

/* Where the library takes a block, so do we. */
static void
check_block(const uint8_t *in, size_t n)
{
	uint8_t ours[ROOM], theirs[ROOM];
	struct slv_lz4_out out = { .at = ours, .cap = ROOM };
	size_t used;
	bool held = slv_lz4_follow(in, n, &out, &used);
	int len =
	    LZ4_decompress_safe((const char *)in, (char *)theirs, (int)n, ROOM);

	FUZZ_CHECK(used <= n && out.len <= ROOM && (!held || used == n));
	if (len < 0 || (!held && is_from_nowhere(in, n, used)))
		return;
	FUZZ_CHECK(held && out.len == (size_t)len);
	FUZZ_CHECK(memcmp(ours, theirs, out.len) == 0);
}

/* What n bytes become comes back from a frame that is cut after as much of it
 * as the first two bytes say. */
static void
check_cut(enum slv_codec_kind kind, const struct slv_buf *packed,
    const uint8_t *in, size_t n)
{
	struct slv_err err = { 0 };
	size_t keep =
	    n > 1 ? (in[0] | in[1] << 8) % (packed->len + 1) : packed->len;
	bool whole = keep == packed->len;
	struct slv_decode d;

	fuzz_ok(slv_decode(kind, packed->at, keep, n, MOST, &d, &err), &err);
	check_pieces(&d, packed->at, keep);
	FUZZ_CHECK(d.how == (whole ? SLV_DECODED_WHOLE : SLV_DECODED_CUT));
	FUZZ_CHECK(d.out.len <= n && (!whole || d.out.len == n));
	FUZZ_CHECK(d.out.len == 0 || memcmp(d.out.at, in, d.out.len) == 0);
	slv_decode_free(&d);
}

static void
check_cuts(const uint8_t *in, size_t n)
{
	struct slv_buf packed = { 0 };
	struct slv_err err = { 0 };

	fuzz_ok(slv_encode_lz4(in, n, SLV_LZ4_ROS, &packed, &err), &err);
	check_cut(SLV_CODEC_LZ4, &packed, in, n);
	packed.len = 0;
	fuzz_ok(slv_encode_zstd(in, n, SLV_ZSTD_LEVEL, &packed, &err), &err);
	check_cut(SLV_CODEC_ZSTD, &packed, in, n);
	slv_buf_free(&packed);
}

void
fuzz_codec(const uint8_t *bytes, size_t n)
{
	check_stream(SLV_CODEC_LZ4, bytes, n, lz4_says);
	check_stream(SLV_CODEC_LZ4_FRAMES, bytes, n, lz4_frames_say);
	check_stream(SLV_CODEC_BZ2, bytes, n, bz2_says);
	check_stream(SLV_CODEC_ZSTD, bytes, n, zstd_says);
	check_block(bytes, n);
	if (n <= MOST)
		check_cuts(bytes, n);
}
