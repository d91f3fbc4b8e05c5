/* donor.h - another log of the same robot, of which a repair may take what
 * explains the data and is lost: never data. */
#ifndef SLV_JOB_DONOR_H
#define SLV_JOB_DONOR_H

#include "core/scan/scan.h"

struct slv_donor {
	struct slv_source *source; /* owned; NULL: there is none */
	struct slv_scan scan;
};

/* Open the file and read it through.
 *
 *   input  what the file to be repaired is: it cannot be its own donor
 *
 * SLV_E_UNRELATED: it is no log; all else as for any input */
enum slv_status slv_donor_open(struct slv_donor *, const char *file,
    const struct stat *input, const struct slv_scan_options *,
    struct slv_err *);

/* Whether it can be of any use for the log that was scanned.
 *
 * SLV_E_UNRELATED: it is of another format
 * SLV_E_REFUSED:   logs of this format take nothing from others */
enum slv_status slv_donor_check(
    const struct slv_donor *, const struct slv_scan *, struct slv_err *);

void slv_donor_free(struct slv_donor *);

#endif
