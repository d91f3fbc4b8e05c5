/* rosrecord.h - the driver of ROS 1 bags of version 1.2. */
#ifndef SLV_FORMATS_ROSRECORD_H
#define SLV_FORMATS_ROSRECORD_H

#include "core/format/format.h"

extern const struct slv_format slv_format_rosrecord;

#endif
