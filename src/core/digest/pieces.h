/* pieces.h - a digest of each MiB of a source.
 *
 * Where a format has no checksum nothing in a log tells that a bit of it has
 * flipped.  These digests, kept elsewhere, do, and in which MiB.
 */
#ifndef SLV_CORE_PIECES_H
#define SLV_CORE_PIECES_H

#include "core/meter.h"
#include "io/read/source.h"

/* How many pieces so many bytes have. */
uint64_t slv_pieces(uint64_t size);

/* Append the digests of all pieces, in order.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_ACTIVE, SLV_E_CANCELLED */
enum slv_status slv_pieces_sum(struct slv_source *, struct slv_meter *,
    const volatile sig_atomic_t *cancel, struct slv_buf *out, struct slv_err *);

/* Add the pieces of a source of that size whose digests are not the same. */
enum slv_status slv_pieces_compare(const uint8_t *was, const uint8_t *is,
    uint64_t size, struct slv_ranges *out, struct slv_err *);

#endif
