/* cut.h - some of the records of a log, put together as a log without an index. */
#ifndef SLV_JOB_CUT_H
#define SLV_JOB_CUT_H

#include "job/read/filter.h"
#include "job/read/log.h"

/* Put together the records that the filter, which is settled, takes.
 *
 *   dir   for a temporary without a name, if there are many
 *   *out  owned by the caller
 *
 * A failure is recorded in the log, and returned. */
enum slv_status slv_cut(struct slv_log *, const struct slv_filter *,
    const char *dir, struct slv_source **out);

#endif
