/* carla_message.h - packets as messages of protobuf. */
#ifndef SLV_FORMATS_CARLA_MESSAGE_H
#define SLV_FORMATS_CARLA_MESSAGE_H

#include "core/layout/layout.h"

#define CARLA_MESSAGE_NAME 64 /* bytes of "salvor.carla.AnimVehicleWheels" */

/* Describe the messages of packets that are laid out like that.
 *
 *   packet  "Position"
 *   schema  receives a FileDescriptorSet, and name the type of the message */
enum slv_status carla_message_describe(const char *packet,
    const struct slv_layout *, struct slv_buf *schema,
    char name[CARLA_MESSAGE_NAME], struct slv_err *);

/* Append the message of a packet; one that is not laid out like that is a field of
 * bytes. */
enum slv_status carla_message_put(const struct slv_layout *,
    struct slv_span packet, struct slv_buf *out, struct slv_err *);

#endif
