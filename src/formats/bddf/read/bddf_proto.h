/* bddf_proto.h - walk a protobuf message of any size in a source.
 *
 * nanopb's generated tables say which fields a message has.  The walk checks
 * every byte against them (wire types, lengths, UTF-8) and reports each item to
 * a visitor, with offsets instead of copies.  Nothing is allocated, so a 2 GiB
 * index costs no memory.
 */
#ifndef SLV_FORMATS_BDDF_PROTO_H
#define SLV_FORMATS_BDDF_PROTO_H

#include <pb.h>

#include "formats/bddf/read/bddf_wire.h"
#include "io/read/window.h"

#define BDDF_DEPTH_MAX 8 /* nested messages; the schema has 5 levels */

enum bddf_event {
	BDDF_VALUE,   /* a number, [off, off + len); also each one of a list */
	BDDF_STRING,  /* text: [off, off + len) */
	BDDF_OPEN,    /* a message: [off, off + len) */
	BDDF_CLOSE,   /* its end */
	BDDF_UNKNOWN, /* a field that the tables do not have */
	BDDF_ENTRY,   /* a whole BlockEntry, instead of its parts */
	BDDF_ENTRIES, /* its start, and the bytes after it; or, without bytes,
		       * where one may begin */
};

struct bddf_field {
	enum bddf_event event;
	const pb_msgdesc_t *in; /* the message that the field is in */
	uint32_t tag;           /* its field number */
	unsigned depth;         /* of that message; 0 = outermost */
	uint64_t value;
	uint64_t off, len; /* of the contents, in the source */

	/* For an ENTRY. */
	const struct bddf_entry *entry;
	struct bddf_entry_more more;
	const uint8_t *bytes; /* its len bytes; borrowed for the call */

	/* For ENTRIES, with keys and lengths included: how many bytes the
	 * visitor accepts as whole entries, without their parts. */
	size_t *taken;
};

/* Return false to stop: the message is then BROKEN. */
typedef bool (*bddf_visit_fn)(void *ctx, const struct bddf_field *);

/* Walk [off, off + len) of the window's source as a message of type desc.  The
 * visitor must not use the window.  A BlockEntry that ENTRIES did not accept
 * comes as ENTRY if it is small, with its unknown fields reported inside it,
 * and otherwise like any other message.
 *
 * *out is BDDF_WHOLE if every byte belongs to a well-formed field, else
 * BDDF_BROKEN. */
enum slv_status bddf_walk(struct slv_window *, uint64_t off, uint64_t len,
    const pb_msgdesc_t *desc, bddf_visit_fn, void *ctx, enum bddf_read *out,
    struct slv_err *);

#endif
