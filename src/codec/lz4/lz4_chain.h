/* lz4_chain.h - where an LZ4 frame continues after damage.
 *
 * Blocks have no magic.  But the size of each block leads to the next one, and
 * that of the last block to the end of the frame.  Places from which sizes lead
 * there are rarely there by chance.
 */
#ifndef SLV_CODEC_LZ4_CHAIN_H
#define SLV_CODEC_LZ4_CHAIN_H

#include "codec/lz4/lz4_frame.h"

/* { 0 } is empty: not computed yet. */
struct slv_lz4_chain {
	uint8_t *marks; /* owned: a bit for each byte of the input */
};

/* Find such places in a frame that ends with the input, unless that is done.
 * If it does not end there, there are none. */
enum slv_status slv_lz4_chain_make(struct slv_lz4_chain *,
    const struct slv_lz4_frame *, const uint8_t *in, size_t n,
    struct slv_err *);

/* The first place at or after `at`; n if there is none. */
size_t slv_lz4_chain_next(const struct slv_lz4_chain *, size_t n, size_t at);

void slv_lz4_chain_free(struct slv_lz4_chain *);

#endif
