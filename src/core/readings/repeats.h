/* repeats.h - whole records inside damage that are elsewhere in the log too.
 *
 * A page or a sector was written to a wrong place.  Records that lie wholly
 * inside it read as well as any, but were recorded once.  Such a range is
 * short, damaged records precede and follow it, and its other place fits what
 * follows better.
 */
#ifndef SLV_CORE_REPEATS_H
#define SLV_CORE_REPEATS_H

#include "core/plan/patch.h"
#include "core/scan/scan.h"

/* Exclude ranges that repeat kept records of a finished scan.  If there is a
 * candidate, and the log is damaged in at most 16 places, the source is read
 * once.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_repeats_find(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* Return true if the bytes there may have held records that are not kept. */
bool slv_extent_is_torn(const struct slv_extent *);

#endif
