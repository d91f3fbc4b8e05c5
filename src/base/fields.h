/* fields.h - messages of protobuf, read field by field. */
#ifndef SLV_BASE_FIELDS_H
#define SLV_BASE_FIELDS_H

#include "base/bytes.h"

/* How a field is written. */
enum slv_field_kind {
	SLV_FIELD_VARINT = 0,
	SLV_FIELD_64 = 1,
	SLV_FIELD_BYTES = 2,
	SLV_FIELD_32 = 5,
};

struct slv_field {
	uint64_t number; /* > 0 */
	enum slv_field_kind kind;
	uint64_t value;          /* of a VARINT */
	struct slv_span content; /* of the others */
};

/* Take a number off the front; false: there is none. */
bool slv_varint_take(struct slv_span *, uint64_t *);

/* Take a field off the front, which is not empty; false: what is there is none, or a
 * group. */
bool slv_field_take(struct slv_span *, struct slv_field *);

#endif
