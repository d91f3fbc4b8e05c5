/* memory.h - how much a driver may remember of a log (--max-memory).
 */
#ifndef SLV_SUPPORT_MEMORY_H
#define SLV_SUPPORT_MEMORY_H

#include "core/scan/scan.h"

/* Count n more bytes of what is remembered.
 *
 *   sum   so many there were before; n more there are then
 *   what  of what, for people: "frames"
 *
 * SLV_E_LIMIT: that is more than the limit */
enum slv_status slv_memory_take(const struct slv_scan *, uint64_t *sum,
    uint64_t n, const char *what, struct slv_err *);

/* Count n more bytes of texts that the log has once, and that each of many channels
 * has.  A small log must not become gigabytes so: the limit grows with it.
 *
 *   what  of what, for people: "formats"
 *
 * SLV_E_LIMIT: that is more than the limit */
enum slv_status slv_memory_repeat(const struct slv_scan *, uint64_t *sum,
    uint64_t n, const char *what, struct slv_err *);

#endif
