/* bddf.h - BDDF, the log format of Boston Dynamics' robots.
 *
 * The only header that others may include: the driver.  What the bytes mean,
 * and where each fact comes from: docs/formats/bddf.md.
 */
#ifndef SLV_FORMATS_BDDF_BDDF_H
#define SLV_FORMATS_BDDF_BDDF_H

#include "core/format/format.h"

extern const struct slv_format slv_format_bddf;

#endif
