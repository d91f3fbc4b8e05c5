/* schema.h - descriptions of protobuf messages, for readers of other formats.
 *
 * A FileDescriptorSet is made from tables, or the part of one that a message needs is
 * taken out of it.
 */
#ifndef SLV_SUPPORT_SCHEMA_H
#define SLV_SUPPORT_SCHEMA_H

#include "base/buf.h"
#include "base/bytes.h"

/* Types of fields, as descriptors number them. */
enum slv_schema_type {
	SLV_SCHEMA_DOUBLE = 1,
	SLV_SCHEMA_FLOAT = 2,
	SLV_SCHEMA_INT64 = 3,
	SLV_SCHEMA_UINT64 = 4,
	SLV_SCHEMA_INT32 = 5,
	SLV_SCHEMA_FIXED64 = 6,
	SLV_SCHEMA_FIXED32 = 7,
	SLV_SCHEMA_BOOL = 8,
	SLV_SCHEMA_STRING = 9,
	SLV_SCHEMA_MESSAGE = 11,
	SLV_SCHEMA_BYTES = 12,
	SLV_SCHEMA_UINT32 = 13,
	SLV_SCHEMA_ENUM = 14,
	SLV_SCHEMA_SFIXED32 = 15,
	SLV_SCHEMA_SFIXED64 = 16,
};

struct slv_schema_field {
	const char *name; /* NULL: no more */
	unsigned number;
	enum slv_schema_type type;
	bool repeated;
	const char *message; /* of a MESSAGE or ENUM: its full name with a dot
			      * before */
};

struct slv_schema_message {
	const char *name; /* NULL: no more */
	const struct slv_schema_field *fields;
	const char *const *types; /* names of the values of its enumeration
				   * "Type", from 0 on; the last is NULL.  NULL:
				   * it has none */
};

struct slv_schema_file {
	const char *name, *package;
	const struct slv_schema_message *messages;
	const char *const *imports; /* names; NULL: none; the last is NULL */
};

/* Append the file to a FileDescriptorSet, in which those that it imports are. */
void slv_schema_put(struct slv_buf *, const struct slv_schema_file *);

/* Append of a FileDescriptorSet, which comes from outside, the file that declares a
 * message and those that it imports, each once and before the files that import it.
 *
 *   *found  false: it declares no such message, or a file that is imported is
 *           missing, or it is no such set; nothing is appended */
enum slv_status slv_schema_take(struct slv_span set, struct slv_span message,
    struct slv_buf *out, bool *found, struct slv_err *);

#endif
