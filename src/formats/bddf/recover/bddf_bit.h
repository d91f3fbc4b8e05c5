/* bddf_bit.h - correct declarations of which one bit is wrong. */
#ifndef SLV_BDDF_BIT_H
#define SLV_BDDF_BIT_H

#include "formats/bddf/bddf_state.h"

enum slv_status bddf_mend_bits(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* Bytes that may be read to try bits of declarations, until no other one is begun: each
 * bit takes the time of all bytes of the block. */
#define BDDF_TRIED      ((uint64_t)4 << 20)
#define BDDF_TRIED_EACH 16 /* for each byte of the log */
#define BDDF_TRIED_MAX  ((uint64_t)128 << 20)

static inline uint64_t
bddf_tried_most(uint64_t size)
{
	return slv_min64(
	    BDDF_TRIED + BDDF_TRIED_EACH * slv_min64(size, BDDF_TRIED_MAX),
	    BDDF_TRIED_MAX);
}

#endif
