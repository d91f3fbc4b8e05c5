/* bz2_bits.h - bzip2 streams as bits, of which the highest of a byte is first.
 *
 * Places are bits from the start of the input.
 */
#ifndef SLV_CODEC_BZ2_BITS_H
#define SLV_CODEC_BZ2_BITS_H

#include "base/buf.h"
#include "base/bytes.h"

/* What a block begins with, and what stands behind the last one; a checksum
 * follows on both. */
#define SLV_BZ2_BLOCK     UINT64_C(0x314159265359)
#define SLV_BZ2_END       UINT64_C(0x177245385090)
#define SLV_BZ2_MARK_BITS 48
#define SLV_BZ2_SUM_BITS  32

/* The bits [from, from + count), as a number; count is 0 .. 64, and what lies
 * past the input is 0. */
uint64_t slv_bz2_bits(struct slv_span in, uint64_t from, unsigned count);

struct slv_bz2_mark {
	uint64_t at;
	bool is_end; /* SLV_BZ2_END, not SLV_BZ2_BLOCK */
};

/* The first mark that begins at `from` or behind; false where there is none,
 * and the place is then the end of the input. */
bool slv_bz2_find(struct slv_span in, uint64_t from, struct slv_bz2_mark *mark);

/* Make the block in the bits [from, end) a stream of its own, with the block's
 * checksum as that of all. */
enum slv_status slv_bz2_wrap(struct slv_span in, uint64_t from, uint64_t end,
    struct slv_buf *out, struct slv_err *);

/* bzip2's checksum over what a block becomes. */
uint32_t slv_bz2_sum(const uint8_t *bytes, size_t n);

#endif
