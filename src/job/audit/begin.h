/* begin.h - the first scan of the log. */
#ifndef SLV_JOB_BEGIN_H
#define SLV_JOB_BEGIN_H

#include "job/audit/audit.h"

/* Make the audit's first scan, which reads all payloads of the best reading
 * (job/readings/reading.h).  If the digest of the log covers the bytes as they
 * are, doubted units are kept. */
enum slv_status slv_begin(
    struct slv_audit *, struct slv_audit_options *, struct slv_err *);

#endif
