/* rosbag_type.h - message types, from the definitions that a bag carries.
 *
 * A definition is the text of a .msg file and of those of all types that it
 * uses, each behind a line of "=" and "MSG: package/Name".
 */
#ifndef SLV_FORMATS_ROSBAG_TYPE_H
#define SLV_FORMATS_ROSBAG_TYPE_H

#include "base/bytes.h"
#include "base/status.h"
#include "digest/md5.h"

/* How many of it there are. */
enum rosbag_array { ROSBAG_ONE, ROSBAG_SOME, ROSBAG_FIXED };

struct rosbag_field {
	struct slv_span written; /* its type, with the brackets */
	struct slv_span name;
	struct slv_span value; /* of a constant; at NULL: it is none */
	enum rosbag_array array;
	uint32_t count; /* of a FIXED array */
	int builtin;    /* an index into our table; -1: it is ... */
	size_t type;    /* ... this one of the types */
};

struct rosbag_type {
	struct slv_span name; /* "package/Name" */
	size_t first, n;      /* fields */
	uint8_t md5[SLV_MD5_SIZE];
	int state; /* of its md5: 0 none yet, 1 being computed, 2 there */
};

struct rosbag_types {
	struct rosbag_type *at; /* owned; the first is the one defined */
	size_t n, cap;
	struct rosbag_field *fields; /* owned */
	size_t n_fields, cap_fields;
};

/* Read a definition, which must outlive the types.  *good = false: it cannot be
 * understood.  Free them, also after a failure. */
enum slv_status rosbag_types_read(struct rosbag_types *, struct slv_span name,
    struct slv_span definition, bool *good, struct slv_err *);
void rosbag_types_free(struct rosbag_types *);

/* The sum by which ROS tells types apart, as 32 digits; false: there is none,
 * because a type contains itself, or for want of memory. */
bool rosbag_types_md5(struct rosbag_types *, char out[33]);

/* Whether that is what a connection, whose data are the n bytes at p, says its
 * sum is. */
enum rosbag_sum {
	ROSBAG_SUM_UNKNOWN, /* it does not say, or nobody can tell */
	ROSBAG_SUM_FITS,
	ROSBAG_SUM_DIFFERS,
};
enum slv_status rosbag_sum_check(
    const uint8_t *p, size_t n, enum rosbag_sum *, struct slv_err *);

/* Whether the n bytes at p are exactly one message of the type. */
bool rosbag_types_fit(const struct rosbag_types *, const uint8_t *p, size_t n);

/* Of a message that fits and begins with a std_msgs/Header its frame_id;
 * at NULL: it does not. */
struct slv_span rosbag_types_frame(
    const struct rosbag_types *, const uint8_t *p, size_t n);

#endif
