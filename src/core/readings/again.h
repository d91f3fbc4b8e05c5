/* again.h - the same log repeated after its end.
 *
 * Two files joined are mostly two recordings.  `cat log log`, or a download
 * that started over, is one recording: its second copy is not another
 * recording.
 */
#ifndef SLV_CORE_AGAIN_H
#define SLV_CORE_AGAIN_H

#include "core/scan/scan.h"

/* Find how far the bytes at off, where a whole log begins, equal those at 0:
 * copies one after the other, of which the last may be cut.  *end = off: they
 * differ, or some byte cannot be read. */
enum slv_status slv_again(
    struct slv_scan *, uint64_t off, uint64_t *end, struct slv_err *);

#endif
