/* ros_service.h - the definition of a service event of ROS 2.
 *
 * Topics like /add/_service_event have messages of a type that no file defines:
 *
 *	service_msgs/ServiceEventInfo info
 *	NAME_Request[<=1] request
 *	NAME_Response[<=1] response
 *
 * and rosbag2 stores the definition of the service instead, which is the request, "---"
 * and the response (rosbag2 issue 2365).
 */
#ifndef SLV_SUPPORT_ROS_SERVICE_H
#define SLV_SUPPORT_ROS_SERVICE_H

#include "base/buf.h"
#include "base/bytes.h"

/* Make the definition of the event from that of the service.
 *
 *   type  "example_interfaces/srv/AddTwoInts_Event"
 *   text  of its schema
 *   out   receives the definition; stays empty: it is no such type */
enum slv_status slv_ros_service(struct slv_span type, struct slv_span text,
    struct slv_buf *out, struct slv_err *);

#endif
