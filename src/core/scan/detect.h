/* detect.h - which format the file has. */
#ifndef SLV_CORE_DETECT_H
#define SLV_CORE_DETECT_H

#include "core/scan/scan.h"

/* Let every driver bid for the scan's source and begin with the best; in a
 * proof, with the driver of the first scan.  Sets `format` and `state`, or
 * `stranger` if no driver reads the file.
 *
 *   formats  the drivers to choose from, ending with NULL */
enum slv_status slv_detect(struct slv_scan *,
    const struct slv_format *const *formats, struct slv_err *);

#endif
