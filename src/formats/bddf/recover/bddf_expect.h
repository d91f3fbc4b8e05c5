/* bddf_expect.h - the first bytes of a block, by its index entry. */
#ifndef SLV_FORMATS_BDDF_EXPECT_H
#define SLV_FORMATS_BDDF_EXPECT_H

#include "formats/bddf/recover/bddf_known.h"

/* The bytes with which the block of `one`, which ends at `next`, must begin.
 * If the block there says the same as the index, these are its own bytes,
 * however they are encoded.
 *
 *   out  empty before; stays empty if they are unknown */
enum slv_status bddf_expect(struct slv_scan *, const struct bddf_knowledge *,
    const struct bddf_known *one, uint64_t next, struct slv_buf *out,
    struct slv_err *);

#endif
