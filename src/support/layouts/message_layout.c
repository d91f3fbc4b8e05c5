/* message_layout.c - how messages are laid out, in whatever way a log has them. */
#include "support/layouts/message_layout.h"

#include <string.h>

#include "support/layouts/proto_layout.h"
#include "support/layouts/ros_layout.h"

enum slv_status
slv_message_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	return strcmp(c->encoding, "protobuf") == 0
	    ? slv_proto_layout(c, out, known, err)
	    : slv_ros_layout(c, out, known, err);
}
