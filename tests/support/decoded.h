/* decoded.h - decode a stream, and check what holds of any that was decoded. */
#ifndef TESTS_SUPPORT_DECODED_H
#define TESTS_SUPPORT_DECODED_H

#include "codec/codec.h"
#include "support/blob.h"

/* Decode what damage has made of a stream, from memory of exactly its size;
 * pieces are where they may be.  False where that failed: nothing came out. */
bool decoded(enum slv_codec_kind, const struct blob *, size_t expect,
    size_t max, struct slv_decode *);

/* Is what came out as one sure piece the beginning of the truth? */
void check_beginning(const struct slv_decode *, const struct blob *truth);

#endif
