/* within.h - several recordings in one file: the logs that a view leaves out.
 *
 * If a log of any format begins in what the best reading left out, it is
 * scanned as a part of that.  It is a log of its own only where junk may be:
 * before the scanned log, after it or between two others.  A log inside a
 * payload is none of these, even if the payload is lost.
 */
#ifndef SLV_JOB_WITHIN_H
#define SLV_JOB_WITHIN_H

#include "job/audit/audit.h"

/* The format of the log that a reason of the audit's view is about; NULL: the
 * reason is not about another recording. */
const struct slv_format *slv_within_format(
    const struct slv_audit *, const struct slv_problem *why);

#endif
