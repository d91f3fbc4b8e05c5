/* both_ways.h - units in a row without a surprise, against one by one.
 *
 * Where somebody listens, a scan asks about every unit.  What it then knows at its
 * end must be the same as what it knows when nobody does.
 */
#ifndef TESTS_SUPPORT_BOTH_WAYS_H
#define TESTS_SUPPORT_BOTH_WAYS_H

#include "core/scan/scan.h"

/* Scan the n bytes both ways and compare the catalog, what was counted, the
 * findings and the gaps; `states` compares what the driver knows, where a format
 * was found.
 *
 *   mends   borrowed; NULL: none */
void both_ways(const uint8_t *bytes, size_t n, const struct slv_mends *mends,
    void (*states)(const struct slv_scan *, const struct slv_scan *));

bool both_same_moment(struct slv_moment, struct slv_moment);

#endif
