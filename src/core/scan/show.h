/* show.h - tell who lists a log what became of each of its blocks.
 *
 * A part of the walk (core/scan/walk.h).  Where nobody listens nothing is done.
 */
#ifndef SLV_CORE_SHOW_H
#define SLV_CORE_SHOW_H

#include "core/scan/scan.h"

/* Tell what became of [off, off + len): one unit, or, u = NULL, bytes that are
 * none. */
enum slv_status slv_show(struct slv_scan *, const struct slv_unit *u,
    uint64_t off, uint64_t len, enum slv_fate, struct slv_err *);

/* The same of the units in [off, end), or of the bytes there. */
enum slv_status slv_show_range(struct slv_scan *, uint64_t off, uint64_t end,
    enum slv_fate, struct slv_err *);

/* The same of the units that the one at off holds, which was accepted. */
enum slv_status slv_show_pack(
    struct slv_scan *, const struct slv_unit *, uint64_t off, struct slv_err *);

/* For slv_packs.show: one of them, at `at` of what the unit at `pack`
 * holds.  Its kind, length, channel and time count; somebody listens. */
enum slv_status slv_show_packed(struct slv_scan *, const struct slv_unit *,
    uint64_t pack, uint64_t at, struct slv_err *);

#endif
