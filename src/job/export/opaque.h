/* opaque.h - payloads that an export has as bytes which it does not explain.
 *
 * They are all there, but a reader of the export cannot decode them.  The report says so,
 * and what helps.
 */
#ifndef SLV_JOB_OPAQUE_H
#define SLV_JOB_OPAQUE_H

#include "job/export/described.h"
#include "report/report.h"

struct slv_opaque {
	uint64_t *records; /* owned; by channel of the log */
	uint64_t *unfit;   /* owned; how many of these do not match their
	                    * description */
};

enum slv_status slv_opaque_begin(
    struct slv_opaque *, uint32_t n, struct slv_err *);

static inline void
slv_opaque_add(struct slv_opaque *o, uint32_t channel, bool unfit)
{
	o->records[channel]++;
	o->unfit[channel] += unfit;
}

/* Add them up. */
void slv_opaque_sum(const struct slv_opaque *, const struct slv_described *,
    const struct slv_log *, struct slv_opaque_count *);

void slv_opaque_free(struct slv_opaque *);

#endif
