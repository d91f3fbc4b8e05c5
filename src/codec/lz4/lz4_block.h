/* lz4_block.h - follow the sequences of an LZ4 block that is not all there. */
#ifndef SLV_CODEC_LZ4_BLOCK_H
#define SLV_CODEC_LZ4_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Output under way. */
struct slv_lz4_out {
	uint8_t *at; /* what a match may reach back to begins here */
	size_t len;  /* of which so many bytes are there ... */
	size_t cap;  /* ... and so many may be, when the block is done */
};

/* Decode the n bytes at `in`, which are a block or its beginning, as far as
 * they go; *used is how many were.
 *
 * true:  nothing speaks against them.  All were used, and what came out is
 *        all that follows from them: of a sequence that is cut its literals,
 *        and of its match as much as is certain.
 * false: at *used stands a sequence that cannot be; nothing of it came out. */
bool slv_lz4_follow(
    const uint8_t *in, size_t n, struct slv_lz4_out *, size_t *used);

#endif
