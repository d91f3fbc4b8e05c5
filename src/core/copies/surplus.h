/* surplus.h - bytes that one copy has in duplicate, and another, whole copy
 * does not.
 *
 * A download that was resumed at the wrong offset repeats bytes.  Another copy
 * of the recording shows which ones, because it has nothing there.
 */
#ifndef SLV_CORE_SURPLUS_H
#define SLV_CORE_SURPLUS_H

#include "core/copies/align.h"

/* Return true if everything that copy `of` has in addition at a place repeats
 * the bytes around it, and if the other copy is closed and lacks nothing.
 *
 *   s  the place in both; the length in the other copy may be 0
 *
 * SLV_E_IO, SLV_E_NOMEM */
enum slv_status slv_is_surplus(const struct slv_copy *const copy[2],
    const struct slv_stretch *s, int of, bool *yes, struct slv_err *);

#endif
