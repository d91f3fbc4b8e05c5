/* repeats.h - whole records amid damage that are elsewhere in the log, too.
 *
 * A page or a sector was written to a wrong place.  The records that are all in it
 * read as well as any, but were recorded once.  Such a stretch is short, torn
 * records precede and follow it, and what follows it fits its other place better.
 */
#ifndef SLV_CORE_REPEATS_H
#define SLV_CORE_REPEATS_H

#include "core/plan/patch.h"
#include "core/scan/scan.h"

/* Set aside what repeats kept records of a finished scan.  Where there is such a
 * stretch, and the log is not torn in more than 16 places, the source is read once.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_repeats_find(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
