/* walk.h - unit after unit, and what becomes of each byte.
 *
 * A part of the scan (core/scan/scan.h): asks the driver what starts where the
 * catalog ends, takes it or leaves it out, and looks behind damage for where
 * the log goes on.
 */
#ifndef SLV_CORE_WALK_H
#define SLV_CORE_WALK_H

#include "core/scan/scan.h"

/* Tile the whole source.  The scan has a format and knows its logical end. */
enum slv_status slv_walk(struct slv_scan *, struct slv_err *);

#endif
