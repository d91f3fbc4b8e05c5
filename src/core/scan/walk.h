/* walk.h - unit after unit, and the fate of each byte.
 *
 * A part of the scan (core/scan/scan.h).  It asks the driver what starts where
 * the catalog ends, keeps it or leaves it out, and searches after damage for
 * where the log continues.
 */
#ifndef SLV_CORE_WALK_H
#define SLV_CORE_WALK_H

#include "core/scan/scan.h"

/* Tile the whole source.  The scan has a format and knows its logical end. */
enum slv_status slv_walk(struct slv_scan *, struct slv_err *);

#endif
