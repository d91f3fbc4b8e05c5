/* decode.h - what the decoders of a stream share. */
#ifndef SLV_CODEC_DECODE_H
#define SLV_CODEC_DECODE_H

#include "codec/codec.h"

/* A stream to be decoded: the arguments of slv_decode(). */
struct slv_stream {
	const uint8_t *in;
	size_t n, expect, max;
};

/* Decode into *d, which is empty.  On failure the caller frees it. */
enum slv_status slv_lz4_decode(
    const struct slv_stream *, struct slv_decode *d, struct slv_err *);
enum slv_status slv_bz2_decode(
    const struct slv_stream *, struct slv_decode *d, struct slv_err *);
enum slv_status slv_zstd_decode(
    const struct slv_stream *, struct slv_decode *d, struct slv_err *);

/* What a decoder begins with: room for what the stream is said to become, as
 * far as a claim is believed, and for `more`. */
enum slv_status slv_decode_expect(struct slv_decode *,
    const struct slv_stream *, size_t more, struct slv_err *);

/* Make room for `more` bytes of output.  Decoders do so before each step, and
 * this is where they learn that they are cancelled. */
enum slv_status slv_decode_room(
    struct slv_decode *, size_t more, struct slv_err *);

/* The input [0, used) came out as the whole of the output: put down how, and
 * the one piece.  BROKEN: its checksum matches all the same. */
enum slv_status slv_decode_all(struct slv_decode *, enum slv_decoded how,
    size_t used, bool sure, struct slv_err *);

/* Put down a piece; where it is empty, nothing. */
enum slv_status slv_decode_piece(
    struct slv_decode *, struct slv_piece, struct slv_err *);

/* A piece of len bytes is the last of all that was compressed, which is said
 * to be `expect` bytes, or 0: so it stands there. */
void slv_decode_ends(struct slv_piece *, size_t len, size_t expect);

/* Is there more than allowed?  Then the end of it is taken off again, and
 * OVER put down. */
bool slv_decode_over(struct slv_decode *, size_t max);

#endif
