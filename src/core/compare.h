/* compare.h - bytes of two places, compared. */
#ifndef SLV_CORE_COMPARE_H
#define SLV_CORE_COMPARE_H

#include "core/scan/scan.h"

/* How many of the n bytes at `at` of a are those at `off` of b, from the first on; n
 * ends with each source, and both places are in theirs. */
enum slv_status slv_compare_sources(struct slv_source *a, uint64_t at,
    struct slv_source *b, uint64_t off, uint64_t n, uint64_t *same,
    struct slv_err *);

/* The same of two places of a scan's source, of which holes are not read.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_compare(const struct slv_scan *, uint64_t a, uint64_t b,
    uint64_t n, uint64_t *same, struct slv_err *);

#endif
