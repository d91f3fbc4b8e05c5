/* probe.h - ask a driver about other bytes, or about the log in another state.
 *
 * A probe is a copy of a scan that shares its state.  It has a cache of its
 * own, and, for another source, a window too.  Only questions may be asked of
 * it: unit(), vouch() and other functions that take a const scan.
 */
#ifndef SLV_CORE_PROBE_H
#define SLV_CORE_PROBE_H

#include "core/scan/scan.h"

struct slv_probe {
	struct slv_scan scan; /* the caller may change what the driver sees */
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
