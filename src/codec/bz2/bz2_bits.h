/* bz2_bits.h - bzip2 streams as bits, the highest bit of a byte first.
 *
 * Places are bits from the start of the input.
 */
#ifndef SLV_CODEC_BZ2_BITS_H
#define SLV_CODEC_BZ2_BITS_H

#include "base/buf.h"
#include "base/bytes.h"

/* The marks at the beginning of a block and after the last block; a checksum
 * follows both. */
#define SLV_BZ2_BLOCK     UINT64_C(0x314159265359)
#define SLV_BZ2_END       UINT64_C(0x177245385090)
#define SLV_BZ2_MARK_BITS 48
#define SLV_BZ2_SUM_BITS  32

/* The bits [from, from + count), as a number; count is 0 .. 64, and bits past
 * the input are 0. */
uint64_t slv_bz2_bits(struct slv_span in, uint64_t from, unsigned count);

struct slv_bz2_mark {
	uint64_t at;
	bool is_end; /* SLV_BZ2_END, not SLV_BZ2_BLOCK */
};

/* The first mark at or after `from`; false if there is none, and the place is
 * then the end of the input. */
bool slv_bz2_find(struct slv_span in, uint64_t from, struct slv_bz2_mark *mark);

/* Make the block in the bits [from, end) a stream of its own, with the block's
 * checksum as that of the stream. */
enum slv_status slv_bz2_wrap(struct slv_span in, uint64_t from, uint64_t end,
    struct slv_buf *out, struct slv_err *);

/* bzip2's checksum over the decoded bytes of a block. */
uint32_t slv_bz2_sum(const uint8_t *bytes, size_t n);

#endif
