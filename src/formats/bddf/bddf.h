/* bddf.h - BDDF, the log format of Boston Dynamics' robots.
 *
 * The only header that others may include: the driver.  docs/formats/bddf.md
 * says what the bytes mean, and gives the source of each fact.
 */
#ifndef SLV_FORMATS_BDDF_BDDF_H
#define SLV_FORMATS_BDDF_BDDF_H

#include "core/format/format.h"

extern const struct slv_format slv_format_bddf;

#endif
