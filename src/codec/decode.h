/* decode.h - what the decoders of a stream share. */
#ifndef SLV_CODEC_DECODE_H
#define SLV_CODEC_DECODE_H

#include "codec/codec.h"

/* A stream to decode: the arguments of slv_decode(). */
struct slv_encoded {
	const uint8_t *in;
	size_t n, expect, max;
};

/* Decode into *d, which is empty.  On failure the caller frees it. */
enum slv_status slv_lz4_decode(
    const struct slv_encoded *, struct slv_decode *d, struct slv_err *);
enum slv_status slv_lz4_decode_frames(
    const struct slv_encoded *, struct slv_decode *d, struct slv_err *);
enum slv_status slv_bz2_decode(
    const struct slv_encoded *, struct slv_decode *d, struct slv_err *);
enum slv_status slv_zstd_decode(
    const struct slv_encoded *, struct slv_decode *d, struct slv_err *);

/* Allocate memory for the stated size of the stream, as far as it is credible,
 * and for `more`. */
enum slv_status slv_decode_expect(struct slv_decode *,
    const struct slv_encoded *, size_t more, struct slv_err *);

/* Make room for `more` bytes of output.  Decoders call it before each step, and
 * it reports a cancellation. */
enum slv_status slv_decode_room(
    struct slv_decode *, size_t more, struct slv_err *);

/* The input [0, used) is decoded as the whole output: record the result and the
 * one piece.  BROKEN: its checksum matches nevertheless. */
enum slv_status slv_decode_all(struct slv_decode *, enum slv_decoded how,
    size_t used, bool sure, struct slv_err *);

/* Record a piece, unless it is empty. */
enum slv_status slv_decode_piece(
    struct slv_decode *, struct slv_decoded_piece, struct slv_err *);

/* Set the place of a piece of len bytes that is the last of the stream, which
 * is said to have `expect` bytes, or 0. */
void slv_decode_ends(struct slv_decoded_piece *, size_t len, size_t expect);

/* If there is more than allowed, remove the rest, record OVER and return
 * true. */
bool slv_decode_over(struct slv_decode *, size_t max);

#endif
