/* ros.h - headers of records as ROS 1 writes them: named fields in any order.
 *
 * A field is a u32 length, a name, "=" and a value.  A record is the length of its
 * fields, the fields, the length of its data and the data.  All numbers are
 * little-endian.
 */
#ifndef SLV_SUPPORT_ROS_H
#define SLV_SUPPORT_ROS_H

#include "base/buf.h"
#include "base/bytes.h"

struct slv_ros_field {
	struct slv_span name, value; /* borrowed */
};

/* The field at p, with n bytes available: how many are its own; 0: it is not a
 * field. */
uint32_t slv_ros_field_get(const uint8_t *p, size_t n, struct slv_ros_field *);

/* Return true if this text is the string. */
bool slv_ros_is(struct slv_span, const char *);

/* The value of the first field of that name; at NULL: there is none. */
struct slv_span slv_ros_value(const uint8_t *p, size_t n, const char *name);

/* How to decode the value of a field, and what it becomes. */
enum slv_ros_type {
	SLV_ROS_U8,   /* uint32_t */
	SLV_ROS_U32,  /* uint32_t */
	SLV_ROS_U64,  /* uint64_t */
	SLV_ROS_TIME, /* two uint32_t, of which the second one is < 1e9 */
	SLV_ROS_SPAN, /* struct slv_span, of any length */
};

/* A field that a header may have, and its place in the decoded struct.  A table has
 * at most 32 rows. */
struct slv_ros_row {
	const char *name;
	uint32_t name_len;
	enum slv_ros_type type;
	size_t at;
};

#define SLV_ROS_ROW(name, type, record, member)                                \
	{                                                                      \
		name, sizeof(name) - 1, SLV_ROS_##type,                        \
		    offsetof(struct record, member)                            \
	}

/* Decode the n bytes of fields at p into a struct.  Fields without a row are
 * allowed.
 *
 *   *has   the rows of which there was a field, as bits
 *   false  they are not fields, or a value has the wrong length */
bool slv_ros_header_get(const uint8_t *p, uint32_t n,
    const struct slv_ros_row *rows, size_t n_rows, void *out, uint32_t *has);

/* Return true if the n bytes at p may be the first of so many bytes of fields. */
bool slv_ros_may_be_header(const uint8_t *p, size_t n, uint32_t length);

/* Return true if readers accept a value: plain text in UTF-8; an MD5 sum as 32
 * hexadecimal digits, or "*"; a type as "sensor_msgs/Imu", or "*"; the name of a
 * field. */
bool slv_ros_is_text(struct slv_span);
bool slv_ros_is_sum(struct slv_span);
bool slv_ros_is_type(struct slv_span);
bool slv_ros_is_name(struct slv_span);

/* Append a record: begin it, append its fields in the order of their names, and end
 * its header with the length of the data that follow. */
size_t slv_ros_begin(struct slv_buf *);
void slv_ros_put(struct slv_buf *, const char *name, struct slv_span value);
void slv_ros_put_number(
    struct slv_buf *, const char *name, uint64_t v, size_t bytes);
void slv_ros_end(struct slv_buf *, size_t begun, uint32_t data);

#endif
