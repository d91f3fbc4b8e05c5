/* layout.h - how the payload of a record is laid out: named values, one after the
 * other.
 *
 * ROS 1, ULog, plain numbers of BDDF and packets of CARLA are all little-endian and
 * packed.  They differ in how a list says how long it is.  CDR, of ROS 2, aligns values
 * in addition; messages of protobuf are fields with numbers.  A driver makes a layout of
 * what a log says about a channel, and one walk reads payloads of all of them.
 *
 * What a log says is hostile.  A layout that is settled has no loop, at most
 * SLV_LAYOUT_DEPTH structs in each other, and names of letters, digits, _, -
 * and / that differ within a struct.
 */
#ifndef SLV_CORE_LAYOUT_H
#define SLV_CORE_LAYOUT_H

#include "base/buf.h"
#include "base/bytes.h"

#define SLV_LAYOUT_DEPTH 32
#define SLV_LAYOUT_PARTS 65536               /* of a layout */
#define SLV_LAYOUT_NAME  255                 /* bytes */
#define SLV_LAYOUT_COUNT ((uint32_t)1 << 30) /* values in a list */

enum slv_value_type {
	SLV_VALUE_STRUCT,
	SLV_VALUE_BOOL,
	SLV_VALUE_U8,
	SLV_VALUE_U16,
	SLV_VALUE_U32,
	SLV_VALUE_U64,
	SLV_VALUE_I8,
	SLV_VALUE_I16,
	SLV_VALUE_I32,
	SLV_VALUE_I64,
	SLV_VALUE_F32,
	SLV_VALUE_F64,
	SLV_VALUE_TEXT16, /* a u16 length, and so many bytes */
	SLV_VALUE_TEXT32, /* the same with a u32 */
	SLV_VALUE_TEXT0,  /* a u32 length, and so many bytes with a final NUL */
	SLV_VALUE_CHAR,   /* a list of them is one text, up to its first NUL */
	SLV_VALUE_BYTE,   /* a list of them is one value */
	SLV_VALUE_TYPES
};

/* How many values. */
enum slv_many {
	SLV_MANY_ONE,
	SLV_MANY_FIXED,     /* ->count */
	SLV_MANY_COUNTED16, /* a u16 before them says */
	SLV_MANY_COUNTED32, /* a u32 does */
	SLV_MANY_REST,      /* up to the end of the payload; ->count > 1: lists
			     * of so many */
};

/* How payloads are encoded. */
enum slv_wire {
	SLV_WIRE_PACKED,
	SLV_WIRE_CDR,      /* after 4 bytes that say so, aligned */
	SLV_WIRE_PROTOBUF, /* parts have numbers, and are sorted by them */
};

/* How a number is written in protobuf. */
enum slv_coding { SLV_CODED_FIXED, SLV_CODED_VARINT, SLV_CODED_ZIGZAG };

struct slv_member {
	size_t name; /* offset in the names */
	enum slv_value_type type;
	enum slv_many many;
	uint32_t count;
	uint32_t shape;  /* of a STRUCT */
	uint32_t number; /* of a field of protobuf */
	enum slv_coding coding;
	bool hidden; /* padding: it is passed over, and may be missing at the
			 * end of the payload */
};

/* A struct: some of the parts, in order. */
struct slv_shape {
	uint32_t first, n;
	uint8_t depth; /* structs in it; 0: not known yet */
};

struct slv_layout {
	enum slv_wire wire;
	struct slv_member root;   /* what a payload is */
	struct slv_member *parts; /* owned */
	size_t n_parts, cap_parts;
	struct slv_shape *shapes; /* owned */
	size_t n_shapes, cap_shapes;
	struct slv_buf names; /* owned; each with a NUL */
};

static inline const char *
slv_member_name(const struct slv_layout *l, const struct slv_member *p)
{
	return (const char *)l->names.at + p->name;
}

/* Append a part to the last shape; all parts of a shape are added before the next
 * shape is.  *fits = false: the name, or the number of parts, is over a limit. */
enum slv_status slv_layout_add(struct slv_layout *, struct slv_span name,
    const struct slv_member *, bool *fits, struct slv_err *);
enum slv_status slv_layout_shape(struct slv_layout *, struct slv_err *);

/* Check what was put together.  *good = false: it must not be used. */
enum slv_status slv_layout_settle(
    struct slv_layout *, bool *good, struct slv_err *);

void slv_layout_free(struct slv_layout *);

/* A value of a payload. */
struct slv_value {
	enum slv_value_type type; /* BOOL, U64, I64, F32, F64; TEXT32; BYTE */
	union {
		uint64_t u;
		int64_t i;
		float f32;
		double f64;
		struct slv_span bytes; /* of TEXT32 and BYTE */
	};
};

/* What a walk meets.  The name is that of a member of a struct; NULL: it is in a
 * list, or all of the payload. */
struct slv_visitor {
	void (*open)(void *ctx, const char *name, bool is_list, uint64_t n);
	void (*close)(void *ctx, bool is_list);
	void (*value)(void *ctx, const char *name, const struct slv_value *);
};

/* Walk over a payload.  What is visited is at most as much text as 64 times the
 * payload, and 8 KiB.
 *
 *   false  it is not laid out like that; what was visited means nothing */
bool slv_layout_walk(const struct slv_layout *, struct slv_span payload,
    const struct slv_visitor *, void *ctx);

#endif
