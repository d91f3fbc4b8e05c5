/* bddf_expect.h - the first bytes of a block, as its index entry has them. */
#ifndef SLV_FORMATS_BDDF_EXPECT_H
#define SLV_FORMATS_BDDF_EXPECT_H

#include "formats/bddf/recover/bddf_known.h"

/* The bytes that the block of `one`, which ends at `next`, must begin with.  Where
 * the block there says the same as the index, they are its own, however they are
 * encoded.
 *
 *   out  empty before; stays empty where it cannot be told */
enum slv_status bddf_expect(struct slv_scan *, const struct bddf_knowledge *,
    const struct bddf_known *one, uint64_t next, struct slv_buf *out,
    struct slv_err *);

#endif
