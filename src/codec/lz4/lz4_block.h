/* lz4_block.h - decode a damaged LZ4 block sequence by sequence. */
#ifndef SLV_CODEC_LZ4_BLOCK_H
#define SLV_CODEC_LZ4_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Output in progress. */
struct slv_lz4_out {
	uint8_t *at; /* start of what a match may refer to */
	size_t len;  /* bytes that are there ... */
	size_t cap;  /* ... and that may be there when the block is done */
};

/* Decode the n bytes at `in`, which are a block or its beginning, as far as
 * possible; *used is how many were decoded.
 *
 * true:  nothing contradicts them.  All were used, and the output is all that
 *        follows from them: of a cut sequence its literals, and of its match
 *        as much as is certain.
 * false: at *used is an impossible sequence; it produced no output. */
bool slv_lz4_follow(
    const uint8_t *in, size_t n, struct slv_lz4_out *, size_t *used);

#endif
