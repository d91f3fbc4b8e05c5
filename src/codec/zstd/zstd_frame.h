/* zstd_frame.h - what a zstd frame is made of, and its salvage.
 *
 * A magic, flags, and after these what they announce: a window, the number of a
 * dictionary, the content size.  Then blocks of at most 128 KiB of content, each
 * after a word of three bytes: whether it is the last, its type, its size.  Then
 * a checksum over the content, if the flags announce it.
 *
 * Nothing confirms the header, and a block needs those before it: matches reach
 * back into them, and it may use their tables.
 */
#ifndef SLV_CODEC_ZSTD_FRAME_H
#define SLV_CODEC_ZSTD_FRAME_H

#include "codec/decode.h"

#define SLV_ZSTD_BLOCK_MAX ((size_t)128 << 10) /* of content */
#define SLV_ZSTD_WORD      3                   /* bytes before a block */
#define SLV_ZSTD_SUM       4                   /* bytes of the checksum */
#define SLV_ZSTD_LOG_MIN   10 /* of the least window, to the base 2 */

/* Bytes of a header, with its magic. */
#define SLV_ZSTD_HEAD_MIN 6
#define SLV_ZSTD_HEAD_MAX 18

/* What a header says. */
struct slv_zstd_frame {
	uint64_t size; /* of the header; of a skippable frame, of all of it */
	bool skippable;
	bool content_sum; /* a checksum follows the last block */
	bool sized;       /* ... and the content has this many bytes */
	uint64_t content_size;
	uint64_t window; /* bytes that matches reach back */
};

enum slv_zstd_head {
	SLV_ZSTD_HEAD,
	SLV_ZSTD_CUT,
	SLV_ZSTD_BAD, /* a magic, and then no header */
	SLV_ZSTD_NONE,
};

/* Is here the header of a frame, the beginning of one, or neither? */
enum slv_zstd_head slv_zstd_head(
    const uint8_t *in, size_t n, struct slv_zstd_frame *);

/* Write the header of a frame with a window of 2^log bytes, and of no known
 * size. */
void slv_zstd_put_head(
    uint8_t head[SLV_ZSTD_HEAD_MIN], bool content_sum, int log);

enum slv_zstd_type {
	SLV_ZSTD_RAW,
	SLV_ZSTD_RLE,
	SLV_ZSTD_COMPRESSED,
	SLV_ZSTD_RESERVED,
};

struct slv_zstd_block {
	enum slv_zstd_type type;
	bool last;
	size_t size; /* in the input, with its word; all need not be there */
	size_t most; /* what it becomes, or the most that it may become */
};

enum slv_zstd_place {
	SLV_ZSTD_BLOCK,
	SLV_ZSTD_NO_BLOCK,
	SLV_ZSTD_END_OF_INPUT
};

/* What does the word at `at` say? */
enum slv_zstd_place slv_zstd_block(
    const uint8_t *in, size_t n, size_t at, struct slv_zstd_block *);

/* Where the sizes of blocks lead. */
struct slv_zstd_chain {
	size_t end;    /* of the last block, or where there is no block */
	uint64_t most; /* what all these blocks may become */
	bool whole;    /* the last block is there, all of it */
	enum slv_zstd_type type; /* of the last one */
};

struct slv_zstd_chain slv_zstd_chain(const uint8_t *in, size_t n, size_t at);

/* How a frame came out that the library does not accept. */
struct slv_zstd_salvage {
	enum slv_decoded how; /* BROKEN: at `used` is a block that cannot be */
	size_t used;          /* in the input */
	bool matches;         /* the checksum was reached, and matches */
	bool all;             /* the last block was reached */
};

/* Append what there is in the blocks of a frame before the first that cannot
 * be decoded, or until the output is longer than s->max.  The first one is at
 * `body`. */
enum slv_status slv_zstd_salvage(const struct slv_encoded *, size_t body,
    bool content_sum, struct slv_decode *, struct slv_zstd_salvage *,
    struct slv_err *);

#endif
