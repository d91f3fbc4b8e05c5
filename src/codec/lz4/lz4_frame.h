/* lz4_frame.h - what an LZ4 frame is made of, and its salvage.
 *
 * A magic, flags, the most that a block becomes, a checksum over these two;
 * then blocks, each behind a word with its size; a word of zero; a checksum
 * over all that was compressed.  No other checksum is usual.
 */
#ifndef SLV_CODEC_LZ4_FRAME_H
#define SLV_CODEC_LZ4_FRAME_H

#include "codec/decode.h"

#define SLV_LZ4_BLOCK_MIN ((size_t)64 << 10) /* the least block_max */
#define SLV_LZ4_BLOCK_MAX ((size_t)4 << 20)  /* and the greatest */

/* What stands before a block, and a checksum, are words. */
#define SLV_LZ4_WORD   4           /* bytes */
#define SLV_LZ4_STORED 0x80000000u /* in a size: it is not compressed */

/* The header that robots' logs have, but that a block may become the most:
 * a frame with any such header can be read behind it. */
#define SLV_LZ4_USUAL                                                          \
	{                                                                      \
		0x04, 0x22, 0x4d, 0x18, 0x64, 0x70, 0xb9                       \
	}

/* What a header says; what it compares of itself is not looked at. */
struct slv_lz4_frame {
	size_t size;      /* of the header */
	size_t block_max; /* the most that a block becomes */
	bool linked;      /* blocks reach back into those before them */
	bool block_sums;  /* a checksum stands behind each block, */
	bool content_sum; /* and behind all */
};

enum slv_lz4_head { SLV_LZ4_HEAD, SLV_LZ4_CUT, SLV_LZ4_NONE };

/* Is here a header, the beginning of one, or neither? */
enum slv_lz4_head slv_lz4_head(
    const uint8_t *in, size_t n, struct slv_lz4_frame *);

/* The checksum that a frame has over all that was compressed. */
uint32_t slv_lz4_sum(const uint8_t *, size_t n);

/* Salvage what is in a frame that did not come out whole.  frame: what its
 * header says, or NULL where that is wrong. */
enum slv_status slv_lz4_walk(const struct slv_stream *,
    const struct slv_lz4_frame *frame, struct slv_decode *d, struct slv_err *);

#endif
