/* suspect.h - what no checksum contradicts and is odd all the same. */
#ifndef SLV_JOB_SUSPECT_H
#define SLV_JOB_SUSPECT_H

#include "job/audit/audit.h"

/* Raise pages of zeros in payloads that are kept and that no digest confirms. */
enum slv_status slv_suspect_pages(struct slv_audit *, struct slv_err *);

/* Raise where time leaps across lost bytes. */
enum slv_status slv_suspect_leaps(struct slv_scan *, struct slv_err *);

#endif
