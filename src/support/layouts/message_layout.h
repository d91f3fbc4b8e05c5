/* message_layout.h - how messages are laid out, in whatever way a log has them. */
#ifndef SLV_SUPPORT_MESSAGE_LAYOUT_H
#define SLV_SUPPORT_MESSAGE_LAYOUT_H

#include "core/format/format.h"

/* Of a channel with messages of ROS or of protobuf. */
slv_layout_fn slv_message_layout;

#endif
