/* bddf_proto.h - walk a protobuf message of any size in a source.
 *
 * nanopb's generated tables say which fields a message has; the walk checks
 * every byte against them (wire types, lengths, UTF-8) and tells a visitor
 * what it meets, with offsets instead of copies.  Nothing is allocated, so a
 * 2 GiB index costs no memory.
 */
#ifndef SLV_FORMATS_BDDF_PROTO_H
#define SLV_FORMATS_BDDF_PROTO_H

#include <pb.h>

#include "formats/bddf/read/bddf_wire.h"
#include "io/read/window.h"

#define BDDF_DEPTH_MAX 8 /* messages inside each other; the schema has 5 */

enum bddf_event {
	BDDF_VALUE,   /* a number, [off, off + len); also each of a list */
	BDDF_STRING,  /* text: [off, off + len) */
	BDDF_OPEN,    /* a message: [off, off + len) */
	BDDF_CLOSE,   /* its end */
	BDDF_UNKNOWN, /* a field that the tables do not have */
	BDDF_ENTRY,   /* a whole BlockEntry, instead of all that is in it */
	BDDF_ENTRIES, /* where it begins, and what stands behind it; or,
	               * with no bytes, where one may begin */
};

struct bddf_field {
	enum bddf_event event;
	const pb_msgdesc_t *in; /* the message that the field is in */
	uint32_t tag;           /* its field number */
	unsigned depth;         /* of that message; 0 = the outermost */
	uint64_t value;
	uint64_t off, len; /* of the contents, in the source */

	/* Of an ENTRY. */
	const struct bddf_entry *entry;
	struct bddf_entry_more more;
	const uint8_t *bytes; /* its len bytes; borrowed for the call */

	/* Of ENTRIES, whose keys and lengths stand in the bytes: how many bytes
	 * the visitor knows to be whole entries, and needs no more. */
	size_t *taken;
};

/* Return false to stop: the message is then BROKEN. */
typedef bool (*bddf_visit_fn)(void *ctx, const struct bddf_field *);

/* Walk [off, off + len) of the window's source as a message of type desc.
 * The visitor must not use the window.  A BlockEntry that ENTRIES has not taken
 * comes as ENTRY where it is small, with fields that are not known told of in
 * it, and else like any other message.
 *
 * *out is BDDF_WHOLE when every byte belongs to a well-formed field, else
 * BDDF_BROKEN. */
enum slv_status bddf_walk(struct slv_window *, uint64_t off, uint64_t len,
    const pb_msgdesc_t *desc, bddf_visit_fn, void *ctx, enum bddf_read *out,
    struct slv_err *);

#endif
