/* donor.h - another log of the same robot.  A repair may take lost declarations
 * from it, and never data. */
#ifndef SLV_JOB_DONOR_H
#define SLV_JOB_DONOR_H

#include "core/scan/scan.h"
#include "report/report.h"

struct slv_donor {
	struct slv_source *source; /* owned; NULL: there is none */
	struct slv_scan scan;
};

/* Open the donor that the options name, and read all of it.
 *
 *   input  the file to be repaired: it cannot be its own donor
 *
 * SLV_E_UNRELATED: it is not a log; otherwise as for any input */
enum slv_status slv_donor_open(struct slv_donor *, const struct slv_options *,
    const struct stat *input, const struct slv_scan_options *,
    struct slv_err *);

/* Check that it can be used for the log that was scanned.
 *
 * SLV_E_UNRELATED: it has another format
 * SLV_E_REFUSED:   logs of this format take nothing from others */
enum slv_status slv_donor_check(
    const struct slv_donor *, const struct slv_scan *, struct slv_err *);

void slv_donor_free(struct slv_donor *);

#endif
