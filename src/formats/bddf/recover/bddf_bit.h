/* bddf_bit.h - correct declarations of which one bit is wrong. */
#ifndef SLV_BDDF_BIT_H
#define SLV_BDDF_BIT_H

#include "formats/bddf/bddf_state.h"

enum slv_status bddf_mend_bits(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
