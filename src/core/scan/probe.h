/* probe.h - ask a driver about other bytes, or as if the log were another one.
 *
 * A copy of a scan that shares its state and has a cache of its own, and where it
 * has another source a window, too.  Only questions may be asked of it: unit(),
 * vouch() and what else takes a const scan.
 */
#ifndef SLV_CORE_PROBE_H
#define SLV_CORE_PROBE_H

#include "core/scan/scan.h"

struct slv_probe {
	struct slv_scan scan; /* the caller may change what it is told */
	struct slv_window window;
	struct slv_cache cache;
};

/* Open a probe of the scan.
 *
 *   source  borrowed: the bytes to ask about, as many as the scan's; NULL: the
 *           same */
void slv_probe_open(
    struct slv_probe *, const struct slv_scan *, struct slv_source *source);

void slv_probe_close(struct slv_probe *);

#endif
