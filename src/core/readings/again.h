/* again.h - the log once more, behind itself.
 *
 * Two files joined are mostly two recordings; `cat log log`, or a download that
 * began anew, is one, and nothing in its second copy is somebody else's.
 */
#ifndef SLV_CORE_AGAIN_H
#define SLV_CORE_AGAIN_H

#include "core/scan/scan.h"

/* How far what begins at off, where a whole log does, is byte for byte what
 * stands at 0 up to there: copies one behind the other, of which the last may
 * be cut.  *end = off: it is not, or some byte of it cannot be read. */
enum slv_status slv_again(
    struct slv_scan *, uint64_t off, uint64_t *end, struct slv_err *);

#endif
