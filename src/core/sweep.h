/* sweep.h - read all of a log once, to search it. */
#ifndef SLV_CORE_SWEEP_H
#define SLV_CORE_SWEEP_H

#include "core/scan/scan.h"

#define SLV_SWEEP_PIECE ((size_t)1 << 20) /* bytes */

/* Called for n bytes at off, a multiple of SLV_SWEEP_PIECE: a piece, and as many
 * bytes after it as were asked for.  They are borrowed until it returns. */
typedef enum slv_status (*slv_sweep_fn)(
    void *ctx, uint64_t off, const uint8_t *bytes, size_t n, struct slv_err *);

/* Call `each` for all pieces of a scan's source but those in its holes.
 *
 *   more  bytes that are also in the next piece: of a match that spans both
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED, and what `each` returns */
enum slv_status slv_sweep(const struct slv_scan *, size_t more,
    slv_sweep_fn each, void *ctx, struct slv_err *);

#endif
