/* rosbag_type.h - message types, from the definitions in a bag.
 *
 * A definition is the text of a .msg file, followed by those of all types that
 * it uses, each after a line of "=" and "MSG: package/Name".
 */
#ifndef SLV_FORMATS_ROSBAG_TYPE_H
#define SLV_FORMATS_ROSBAG_TYPE_H

#include "base/bytes.h"
#include "base/status.h"
#include "digest/md5.h"

/* How many values a field has. */
enum rosbag_array { ROSBAG_ONE, ROSBAG_SOME, ROSBAG_FIXED };

struct rosbag_field {
	struct slv_span written; /* its type, brackets included */
	struct slv_span name;
	struct slv_span value; /* of a constant; at NULL: no constant */
	enum rosbag_array array;
	uint32_t count; /* of a FIXED array */
	int builtin;    /* an index into our table; -1: see `type` */
	size_t type;    /* index of the type */
};

struct rosbag_type {
	struct slv_span name; /* "package/Name" */
	size_t first, n;      /* fields */
	uint8_t md5[SLV_MD5_SIZE];
	int state; /* of its md5: 0 none yet, 1 being computed, 2 done */
};

struct rosbag_types {
	struct rosbag_type *at; /* owned; the first is the defined type */
	size_t n, cap;
	struct rosbag_field *fields; /* owned */
	size_t n_fields, cap_fields;
};

/* Parse a definition, which must outlive the types.  *good = false: it is not
 * understood.  Free them, also after a failure. */
enum slv_status rosbag_types_read(struct rosbag_types *, struct slv_span name,
    struct slv_span definition, bool *good, struct slv_err *);
void rosbag_types_free(struct rosbag_types *);

/* The sum by which ROS distinguishes types, as 32 digits; false: there is none,
 * because a type contains itself, or for lack of memory. */
bool rosbag_types_md5(struct rosbag_types *, char out[33]);

/* Return true if that is the sum that a connection, with the n bytes at p as
 * data, states. */
enum rosbag_sum {
	ROSBAG_SUM_UNKNOWN, /* it states none, or it cannot be computed */
	ROSBAG_SUM_FITS,
	ROSBAG_SUM_DIFFERS,
};
enum slv_status rosbag_sum_check(
    const uint8_t *p, size_t n, enum rosbag_sum *, struct slv_err *);

/* Return true if the n bytes at p are exactly one message of the type. */
bool rosbag_types_fit(const struct rosbag_types *, const uint8_t *p, size_t n);

/* The frame_id of a message that fits and begins with a std_msgs/Header; at
 * NULL: it does not. */
struct slv_span rosbag_types_frame(
    const struct rosbag_types *, const uint8_t *p, size_t n);

#endif
