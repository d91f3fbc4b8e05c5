/* begin.h - the first scan of the log. */
#ifndef SLV_JOB_BEGIN_H
#define SLV_JOB_BEGIN_H

#include "job/audit/audit.h"

/* Make the audit's first scan, which reads all payloads, of what in the input is
 * the log (job/readings/reading.h).  Where the digest of the log covers the bytes as they
 * are, what was doubted is kept. */
enum slv_status slv_begin(
    struct slv_audit *, struct slv_audit_options *, struct slv_err *);

#endif
