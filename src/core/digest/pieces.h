/* pieces.h - a digest of each MiB of a source.
 *
 * In a format without checksums nothing in a log shows that a bit has flipped.
 * These digests, kept elsewhere, show it, and in which MiB.
 */
#ifndef SLV_CORE_PIECES_H
#define SLV_CORE_PIECES_H

#include "core/meter.h"
#include "io/read/source.h"

/* The number of pieces of so many bytes. */
uint64_t slv_pieces(uint64_t size);

/* Append the digests of all pieces, in order.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_ACTIVE, SLV_E_CANCELLED */
enum slv_status slv_pieces_sum(struct slv_source *, struct slv_meter *,
    const volatile sig_atomic_t *cancel, struct slv_buf *out, struct slv_err *);

/* Add the pieces that differ from those of a source of that size. */
enum slv_status slv_pieces_compare(const uint8_t *was, const uint8_t *is,
    uint64_t size, struct slv_ranges *out, struct slv_err *);

#endif
