/* proto_layout.h - how messages of protobuf are laid out, by their descriptors. */
#ifndef SLV_SUPPORT_PROTO_LAYOUT_H
#define SLV_SUPPORT_PROTO_LAYOUT_H

#include "core/format/format.h"

/* Of a channel with messages of protobuf and a FileDescriptorSet as their schema. */
slv_layout_fn slv_proto_layout;

#endif
