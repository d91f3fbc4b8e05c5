/* begin.h - the first reading of the input. */
#ifndef SLV_JOB_BEGIN_H
#define SLV_JOB_BEGIN_H

#include "job/audit.h"

/* Make the audit's first scan, which reads all payloads.  Where the log begins
 * several times, as after downloads that broke off, that is a scan from its last
 * beginning: `how` says so to all later ones.  Where the digest of the log covers the
 * bytes as they are, what was doubted is kept. */
enum slv_status slv_begin(
    struct slv_audit *, struct slv_scan_options *how, struct slv_err *);

#endif
