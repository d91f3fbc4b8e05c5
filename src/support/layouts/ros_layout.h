/* ros_layout.h - how messages of ROS 1 and 2 are laid out, by their definition. */
#ifndef SLV_SUPPORT_ROS_LAYOUT_H
#define SLV_SUPPORT_ROS_LAYOUT_H

#include "core/format/format.h"

/* The layout of a channel with ROS messages, if the channel has their full definition: the
 * text of the type and of all types in it, as `gendeps --cat` prints them. */
slv_layout_fn slv_ros_layout;

#endif
