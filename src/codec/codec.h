/* codec.h - compressed data in logs.
 *
 * Libraries decode a stream first, and are strict.  Only if that fails, the
 * stream is recovered in pieces, each with its evidence.  A damaged stream is
 * never a failure: the only failures are SLV_E_NOMEM and, on request,
 * SLV_E_CANCELLED.
 *
 * There is no state here: streams can be decoded in several threads at once.
 */
#ifndef SLV_CODEC_CODEC_H
#define SLV_CODEC_CODEC_H

#include <signal.h>

#include "base/buf.h"
#include "base/status.h"

enum slv_codec_kind {
	SLV_CODEC_NONE,       /* the bytes are their own stream */
	SLV_CODEC_LZ4,        /* one frame */
	SLV_CODEC_LZ4_FRAMES, /* one or more */
	SLV_CODEC_BZ2,        /* one stream */
	SLV_CODEC_ZSTD,       /* one frame or more, and frames to be skipped */
	SLV_CODECS
};

/* The result of decoding a stream. */
enum slv_decoded {
	SLV_DECODED_WHOLE,  /* to its end, and every checksum matches */
	SLV_DECODED_CUT,    /* the input ends in it; the decoded bytes are
			     * right */
	SLV_DECODED_BROKEN, /* it contradicts itself somewhere */
	SLV_DECODED_WRONG,  /* to its end, but a checksum does not match */
	SLV_DECODED_OVER,   /* it is longer than allowed; everything up to the
			   * limit came out */
	SLV_DECODEDS
};

/* A contiguous range of output. */
struct slv_decoded_piece {
	size_t out, len;   /* in slv_decode.out; len > 0 */
	size_t in, in_end; /* the input that it was made from; after damage this
			    * range may be too long */
	uint64_t at;       /* its offset in the whole decoded stream ... */
	bool at_known;     /* ... if that is known */

	/* Nothing in the stream contradicts it: it comes before the first
	 * contradiction, or has a checksum of its own that matches.  All blocks
	 * of bzip2 have one.  Those of LZ4 and zstd have none, and the decoders
	 * notice damage late or never: in a BROKEN frame the last bytes before
	 * the contradiction may be wrong. */
	bool sure;

	/* A checksum over exactly these bytes matches. */
	bool proven;

	/* How many of its bytes, from the first one, belong to blocks that were
	 * decoded completely: damage comes after them, or was not noticed. */
	size_t firm;
};

struct slv_decode {
	enum slv_decoded how;
	struct slv_buf out; /* owned */

	/* Owned; in order and disjoint, together all of `out`.  WHOLE and OVER:
	 * one; CUT: at most one, which begins at 0; none if nothing came
	 * out. */
	struct slv_decoded_piece *pieces;
	size_t n_pieces, cap_pieces;

	/* WHOLE and WRONG: the length of the stream; there may be more input.
	 * CUT: all of the input, or the start of zeros that replace its end.
	 * Otherwise where the contradiction was noticed. */
	size_t used;

	bool limited; /* the limit may have cut the output */

	bool summed; /* there is a checksum of `out`, which a crew computed */
	uint32_t sum;

	const volatile sig_atomic_t *cancel; /* not 0: stop; NULL: cannot be
					      * cancelled */
};

/* Decode the stream that begins at `in`.
 *
 *   n       bytes at `in`; the stream may end before them
 *   expect  how long its contents are said to be, 0 where nothing says it: a
 *           hint for memory, and for the place of a piece after damage
 *   max     the most that may come out, > 0; memory grows with what does,
 *           and is at most half as much again, and 12 MiB; for zstd that is
 *           damaged, once more what comes out, whatever window it asks for
 *
 * SLV_E_NOMEM: *out is empty.  Otherwise the caller frees it. */
enum slv_status slv_decode(enum slv_codec_kind, const uint8_t *in, size_t n,
    size_t expect, size_t max, struct slv_decode *out, struct slv_err *);

/* The same, into existing memory of a buffer that is empty afterwards: new
 * memory from the system comes page by page.
 *
 * SLV_E_CANCELLED: *cancel is not 0; *out is empty */
enum slv_status slv_decode_into(struct slv_buf *room, enum slv_codec_kind,
    const uint8_t *in, size_t n, size_t expect, size_t max,
    const volatile sig_atomic_t *cancel, struct slv_decode *out,
    struct slv_err *);

/* Free it; it is then empty. */
void slv_decode_free(struct slv_decode *);

enum slv_lz4_flavour {
	/* What roslz4 reads: independent blocks of at most 1 MiB, a checksum
	 * over all. */
	SLV_LZ4_ROS,
	/* What every reader reads: independent blocks of at most 64 KiB,
	 * neither a checksum nor the content size. */
	SLV_LZ4_PLAIN,
	SLV_LZ4_FLAVOURS
};

/* Append n bytes as an LZ4 frame. */
enum slv_status slv_encode_lz4(const uint8_t *in, size_t n,
    enum slv_lz4_flavour, struct slv_buf *out, struct slv_err *);

/* Append n bytes as a zstd frame with its content size and without a checksum.
 * The same library makes the same bytes of them. */
#define SLV_ZSTD_LEVEL 1 /* a fast one */
enum slv_status slv_encode_zstd(const uint8_t *in, size_t n, int level,
    struct slv_buf *out, struct slv_err *);

/* "whole", "cut" and so on, for messages and tests. */
const char *slv_decoded_name(enum slv_decoded);

#endif
