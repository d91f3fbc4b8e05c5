/* cut.h - some of the records of logs, put together as a log without an index. */
#ifndef SLV_JOB_CUT_H
#define SLV_JOB_CUT_H

#include "job/extract/segments.h"

/* Put together the records that are chosen.
 *
 *   dir   for a temporary without a name, if there are many
 *   *out  owned by the caller */
enum slv_status slv_cut(const struct slv_segments *, const char *dir,
    struct slv_source **out, struct slv_err *);

#endif
