/* mcap.h - MCAP, what ROS 2 and Foxglove record.
 *
 * The only header that others may include: the driver.  What the bytes mean, and
 * where that is known from: docs/formats/mcap.md.
 */
#ifndef SLV_FORMATS_MCAP_H
#define SLV_FORMATS_MCAP_H

#include "core/format/format.h"

extern const struct slv_format slv_format_mcap;

#endif
