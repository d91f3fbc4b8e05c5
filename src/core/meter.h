/* meter.h - report to the caller how far a job has come.
 *
 * One meter serves a whole job; each pass over the bytes restarts it.  A job
 * updates it at every stride, and it calls back every SLV_METER_STEP, so its
 * cost cannot be measured.
 */
#ifndef SLV_CORE_METER_H
#define SLV_CORE_METER_H

#include "base/status.h"

#define SLV_METER_STEP ((uint64_t)1 << 20) /* bytes between two calls */

struct slv_meter {
	slv_progress_fn fn; /* NULL: no callback */
	void *ctx;
	struct slv_progress now;
	uint64_t next; /* not called before this place */
};

/* Begin a pass over [0, total).  Here and below a meter may be NULL. */
void slv_meter_begin(struct slv_meter *, enum slv_phase, uint64_t total);

/* Report that the pass has reached `done`; an earlier place is ignored. */
void slv_meter_at(struct slv_meter *, uint64_t done);

#endif
