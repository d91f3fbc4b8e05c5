/* walk.h - unit after unit, and what becomes of each byte.
 *
 * A part of the scan (core/scan.h): asks the driver what starts where the
 * catalog ends, takes it or leaves it out, and looks behind damage for where
 * the log goes on.
 */
#ifndef SLV_CORE_WALK_H
#define SLV_CORE_WALK_H

#include "core/scan.h"

/* Tile the whole source.  The scan has a format and knows its logical end. */
enum slv_status slv_walk(struct slv_scan *, struct slv_err *);

/* For slv_format.show_packed: hand out a unit that the one at `pack` holds, at
 * `at` of what that holds.  Of the unit its kind, length, channel and time
 * count; somebody listens. */
enum slv_status slv_walk_show_packed(struct slv_scan *, const struct slv_unit *,
    uint64_t pack, uint64_t at, struct slv_err *);

#endif
