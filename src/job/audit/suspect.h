/* suspect.h - what looks odd although no checksum contradicts it. */
#ifndef SLV_JOB_SUSPECT_H
#define SLV_JOB_SUSPECT_H

#include "job/audit/audit.h"

/* Raise pages of zeros in kept payloads that no digest confirms. */
enum slv_status slv_suspect_pages(struct slv_audit *, struct slv_err *);

/* Raise jumps in time across lost bytes. */
enum slv_status slv_suspect_leaps(struct slv_scan *, struct slv_err *);

#endif
