/* surplus.h - bytes that one copy has twice, and another, which is whole, once.
 *
 * A download that was resumed at the wrong offset repeats bytes.  Another copy of
 * the recording shows which ones, as it has nothing there.
 */
#ifndef SLV_CORE_SURPLUS_H
#define SLV_CORE_SURPLUS_H

#include "core/copies/align.h"

/* Whether all that copy `of` has at a place, more than the other one has there,
 * repeats the bytes around it, and the other copy is closed and lacks nothing.
 *
 *   s  the place in both; the length in the other copy may be 0
 *
 * SLV_E_IO, SLV_E_NOMEM */
enum slv_status slv_is_surplus(const struct slv_copy *const copy[2],
    const struct slv_stretch *s, int of, bool *yes, struct slv_err *);

#endif
