/* rosbag.h - the driver of ROS 1 bags. */
#ifndef SLV_FORMATS_ROSBAG_H
#define SLV_FORMATS_ROSBAG_H

#include "core/format/format.h"

extern const struct slv_format slv_format_rosbag;

#endif
