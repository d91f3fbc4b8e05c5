/* lz4_frame.h - the parts of an LZ4 frame, and its recovery.
 *
 * A magic, flags, the maximum size of a decoded block, a checksum over these
 * two; then blocks, each after a word with its size; a word of zero; a checksum
 * over everything that was compressed.  Other checksums are unusual.
 */
#ifndef SLV_CODEC_LZ4_FRAME_H
#define SLV_CODEC_LZ4_FRAME_H

#include "codec/decode.h"

#define SLV_LZ4_BLOCK_MIN ((size_t)64 << 10) /* the least block_max */
#define SLV_LZ4_BLOCK_MAX ((size_t)4 << 20)  /* and the greatest */

/* The size before a block, and a checksum, are words. */
#define SLV_LZ4_WORD   4           /* bytes */
#define SLV_LZ4_STORED 0x80000000u /* flag in a size: not compressed */

/* The usual header in robots' logs, but with the largest maximum block size:
 * the blocks after any such header can be decoded with it. */
#define SLV_LZ4_USUAL                                                          \
	{                                                                      \
		0x04, 0x22, 0x4d, 0x18, 0x64, 0x70, 0xb9                       \
	}

/* The content of a header, not yet checked for contradictions. */
struct slv_lz4_frame {
	size_t size;      /* of the header */
	size_t block_max; /* maximum size of a decoded block */
	bool linked;      /* blocks refer to earlier ones */
	bool block_sums;  /* a checksum follows each block, */
	bool content_sum; /* and the last one */
	bool guessed;     /* the header is wrong, and does not state all that */
};

enum slv_lz4_head { SLV_LZ4_HEAD, SLV_LZ4_CUT, SLV_LZ4_NONE };

/* Is this a header, the beginning of one, or neither? */
enum slv_lz4_head slv_lz4_head(
    const uint8_t *in, size_t n, struct slv_lz4_frame *);

/* Is here the whole magic of a frame, whatever follows? */
bool slv_lz4_begins(const uint8_t *in, size_t n);

/* What a wrong header said, as far as the sizes of blocks tell: they lead to the
 * end of the input.  Where they do not, what the usual header says. */
void slv_lz4_guess(const uint8_t *in, size_t n, struct slv_lz4_frame *);

/* The checksum of a frame over everything that was compressed. */
uint32_t slv_lz4_sum(const uint8_t *, size_t n);

/* Recover a frame that could not be decoded completely. */
enum slv_status slv_lz4_walk(const struct slv_encoded *,
    const struct slv_lz4_frame *frame, struct slv_decode *d, struct slv_err *);

#endif
