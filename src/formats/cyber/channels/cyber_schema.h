/* cyber_schema.h - what a channel's description says of its messages: which
 * fields they have, and how these stand on the wire. */
#ifndef SLV_FORMATS_CYBER_SCHEMA_H
#define SLV_FORMATS_CYBER_SCHEMA_H

#include "base/buf.h"
#include "base/bytes.h"
#include "base/status.h"

#define CYBER_DESC_MAX ((uint64_t)16 << 20) /* bytes; a longer one is none */

/* The types of fields, as descriptors number them. */
enum cyber_field_type {
	CYBER_T_GROUP = 10,
	CYBER_T_MESSAGE = 11,
	CYBER_TYPES_MAX = 18,
};

struct cyber_schema_field {
	uint32_t number;
	unsigned type;        /* enum cyber_field_type, 1 .. TYPES_MAX */
	struct slv_span name; /* of a message: of its type */
	size_t message;       /* ... which one that is; SIZE_MAX: none */
};

struct cyber_schema_message {
	size_t name, name_len; /* in `names`: full, without a dot in front */
	size_t first, n;       /* fields */
};

/* How much of a description is as programs make them. */
enum cyber_fit {
	CYBER_FIT_NONE,  /* it cannot be read, or has nothing in it */
	CYBER_FIT_OTHER, /* it has not the type */
	CYBER_FIT_ODD,   /* it has; a name or a tag is none, or leads nowhere */
	CYBER_FIT_ALL,
};

/* By its name. */
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

/* Read ->desc, a ProtoDesc, of a channel of that type. */
enum slv_status cyber_schema_read(struct cyber_schema *, struct slv_span type,
    enum cyber_fit *, struct slv_err *);

/* Whether a text is a name, of parts with dots between them or in front: that
 * of a field, a type or a package; nothing is one, too. */
bool cyber_schema_name(struct slv_span);

/* The field of that number; NULL: there is none. */
const struct cyber_schema_field *cyber_schema_find(
    const struct cyber_schema *, size_t message, uint32_t number);

void cyber_schema_free(struct cyber_schema *);

#endif
