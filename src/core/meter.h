/* meter.h - tells the caller how far a job has come.
 *
 * One meter serves a whole job: each pass over the bytes begins it anew.  It
 * is asked at every stride and calls back every SLV_METER_STEP, so that it
 * costs nothing that could be measured.
 */
#ifndef SLV_CORE_METER_H
#define SLV_CORE_METER_H

#include "base/status.h"

#define SLV_METER_STEP ((uint64_t)1 << 20) /* bytes between two calls */

struct slv_meter {
	slv_progress_fn fn; /* NULL: nobody listens */
	void *ctx;
	struct slv_progress now;
	uint64_t next; /* not called before this place */
};

/* A pass over [0, total) begins.  A meter that is NULL is no meter, here and
 * below. */
void slv_meter_begin(struct slv_meter *, enum slv_phase, uint64_t total);

/* The pass has come to `done`; places that were passed already are silent. */
void slv_meter_at(struct slv_meter *, uint64_t done);

#endif
