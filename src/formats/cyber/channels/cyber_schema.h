/* cyber_schema.h - the description of a channel, parsed: which fields its
 * messages have, and how they are encoded. */
#ifndef SLV_FORMATS_CYBER_SCHEMA_H
#define SLV_FORMATS_CYBER_SCHEMA_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/status.h"

#define CYBER_DESC_MAX ((uint64_t)16 << 20) /* bytes; longer is invalid */

/* The types of fields, as descriptors number them. */
enum cyber_field_type {
	CYBER_T_GROUP = 10,
	CYBER_T_MESSAGE = 11,
	CYBER_TYPES_MAX = 18,
};

struct cyber_schema_field {
	uint32_t number;
	unsigned type;        /* enum cyber_field_type, 1 .. TYPES_MAX */
	struct slv_span name; /* of a message field: its type */
	size_t message;       /* ... and the index of that message; SIZE_MAX:
			       * none */
};

struct cyber_schema_message {
	size_t name, name_len; /* in `names`: full, without a leading dot */
	size_t first, n;       /* fields */
};

/* How well a description fits what programs write. */
enum cyber_fit {
	CYBER_FIT_NONE,  /* it cannot be read, or is empty */
	CYBER_FIT_OTHER, /* it does not have the type */
	CYBER_FIT_ODD,   /* it has; but some name or tag is invalid, or leads
			  * nowhere */
	CYBER_FIT_ALL,
};

/* An index by name. */
struct cyber_schema_name {
	struct slv_span name;
	size_t message;
};

struct cyber_schema {
	struct slv_buf desc;                   /* owned; the description */
	struct slv_buf names;                  /* owned */
	struct cyber_schema_message *messages; /* owned */
	size_t n_messages, cap_messages;
	struct cyber_schema_field *fields; /* owned */
	size_t n_fields, cap_fields;
	struct cyber_schema_name *by_name; /* owned; in order */
	size_t cap_by_name;
	size_t root; /* the type of the channel */
};

/* Parse ->desc, a ProtoDesc, of a channel of that type. */
enum slv_status cyber_schema_read(struct cyber_schema *, struct slv_span type,
    enum cyber_fit *, struct slv_err *);

/* Return true if a text is a name of a field, a type or a package: parts with
 * dots between or before them.  An empty text is a name. */
bool cyber_schema_name(struct slv_span);

/* The field of that number; NULL: there is none. */
const struct cyber_schema_field *cyber_schema_find(
    const struct cyber_schema *, size_t message, uint32_t number);

void cyber_schema_free(struct cyber_schema *);

#endif
