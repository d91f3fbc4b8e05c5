/* compare.h - two places of a source, byte by byte. */
#ifndef SLV_CORE_COMPARE_H
#define SLV_CORE_COMPARE_H

#include "core/scan.h"

/* How many of the n bytes at a are those at b, from the first on; n ends with
 * the source.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_compare(const struct slv_scan *, uint64_t a, uint64_t b,
    uint64_t n, uint64_t *same, struct slv_err *);

#endif
