/* detect.h - what kind of file is it? */
#ifndef SLV_CORE_DETECT_H
#define SLV_CORE_DETECT_H

#include "core/scan/scan.h"

/* Let every driver bid for the scan's source and begin with the best; in a
 * proof, with the first scan's.  Sets `format` and `state`, or `stranger`
 * where the file is none that a driver reads.
 *
 *   formats  the drivers to choose from, ending with NULL */
enum slv_status slv_detect(struct slv_scan *,
    const struct slv_format *const *formats, struct slv_err *);

#endif
