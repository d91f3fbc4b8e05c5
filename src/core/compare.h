/* compare.h - compare the bytes of two places. */
#ifndef SLV_CORE_COMPARE_H
#define SLV_CORE_COMPARE_H

#include "core/scan/scan.h"

/* Count how many of the n bytes at `at` of a equal those at `off` of b, from
 * the first on. n ends with either source; both places are inside their
 * sources. */
enum slv_status slv_compare_sources(struct slv_source *a, uint64_t at,
    struct slv_source *b, uint64_t off, uint64_t n, uint64_t *same,
    struct slv_err *);

/* The same for two places of a scan's source.  Holes are not read.
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_compare(const struct slv_scan *, uint64_t a, uint64_t b,
    uint64_t n, uint64_t *same, struct slv_err *);

#endif
