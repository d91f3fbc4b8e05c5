/* show.h - report the fate of each block to a listing.
 *
 * A part of the walk (core/scan/walk.h).  Without a listener it does nothing.
 */
#ifndef SLV_CORE_SHOW_H
#define SLV_CORE_SHOW_H

#include "core/scan/scan.h"

/* Report the fate of [off, off + len): one unit, or, u = NULL, bytes that are
 * not a unit. */
enum slv_status slv_show(struct slv_scan *, const struct slv_unit *u,
    uint64_t off, uint64_t len, enum slv_fate, struct slv_err *);

/* The same for the units in [off, end), or for the bytes there. */
enum slv_status slv_show_range(struct slv_scan *, uint64_t off, uint64_t end,
    enum slv_fate, struct slv_err *);

/* The same for the units inside the one at off, which was accepted. */
enum slv_status slv_show_pack(
    struct slv_scan *, const struct slv_unit *, uint64_t off, struct slv_err *);

/* For slv_packs.show: report one of them, at `at` inside the content of the
 * unit at `pack`.  Its kind, length, channel and time count.  There is a
 * listener. */
enum slv_status slv_show_packed(struct slv_scan *, const struct slv_unit *,
    uint64_t pack, uint64_t at, struct slv_err *);

#endif
