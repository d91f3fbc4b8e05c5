/* traced.h - how much of a byte range is found in another byte range.
 *
 * A download may have been resumed at wrong offsets: its pieces are bytes of
 * the log, each at another distance from its place.
 */
#ifndef SLV_CORE_TRACED_H
#define SLV_CORE_TRACED_H

#include "core/scan/scan.h"

/* Follow one range of the scan's source in another, piece by piece; a piece may
 * be up to 1 MiB from where the one before it leads.
 *
 *   *rest  how many of its bytes are not found
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_traced(struct slv_scan *, struct slv_range stretch,
    struct slv_range in, uint64_t *rest, struct slv_err *);

#endif
