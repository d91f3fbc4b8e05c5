/* cyber_wire.h - the parts of a record, decoded from bytes.
 *
 * A record is sections: 16 bytes (type, size), then a protobuf message.  What
 * every message has is decoded by hand.  Of the rest, keys and lengths are too,
 * and nanopb decodes messages of a few numbers.  Facts: docs/formats/cyber.md.
 */
#ifndef SLV_FORMATS_CYBER_WIRE_H
#define SLV_FORMATS_CYBER_WIRE_H

#include "base/buf.h"
#include "base/bytes.h"

#define CYBER_SECTION     16   /* bytes of a section's head */
#define CYBER_DATA_START  2064 /* offset of the first section of any record */
#define CYBER_NAME_MAX    1024 /* bytes of a channel's name or type */
#define CYBER_INNER_MIN   6    /* bytes of a SingleMessage */
#define CYBER_HEAD_MAX    1060 /* bytes of a message before its content */
#define CYBER_CONTENT_MAX ((uint64_t)1 << 31) /* protobuf has no more */

enum cyber_type {
	CYBER_HEADER,
	CYBER_CHUNK_HEADER,
	CYBER_CHUNK_BODY,
	CYBER_INDEX,
	CYBER_CHANNEL,
	CYBER_TYPES
};

enum cyber_read {
	CYBER_WHOLE,
	CYBER_SHORT, /* the bytes end in it */
	CYBER_BAD,
};

/* A varint of n bytes, in the shortest form; otherwise BAD. */
enum cyber_read cyber_varint_get(
    const uint8_t *p, size_t have, uint64_t *v, size_t *n);

/* A field: its key and its length or number. */
struct cyber_field {
	uint32_t tag;
	bool is_span;
	size_t head;  /* bytes before the span; all bytes of a number */
	uint64_t len; /* of the span, which need not exist */
	uint64_t number;
};
enum cyber_read cyber_field_get(
    const uint8_t *p, size_t have, struct cyber_field *);

/* A message of a ChunkBody. */
struct cyber_message {
	enum cyber_read read; /* set by cyber_look_message() */
	size_t head;          /* bytes before its content */
	uint64_t content;     /* bytes */
	size_t name, name_len;
	uint64_t time; /* ns */
};
/* The head must exist, the content need not. */
enum cyber_read cyber_message_get(
    const uint8_t *p, size_t have, struct cyber_message *);

static inline uint64_t
cyber_message_span(const struct cyber_message *m)
{
	return m->head + m->content;
}

/* The same for a message with a damaged first key or length, by its other
 * fields. */
bool cyber_message_guess(const uint8_t *p, size_t have, struct cyber_message *);

/* What a ChunkHeader says. */
struct cyber_claim {
	uint64_t begin, end; /* ns */
	uint64_t messages, raw;
};
/* A header that fills n bytes, or, with *n 0, of its own length. */
bool cyber_claim_get(
    const uint8_t *p, size_t have, size_t *n, struct cyber_claim *);

/* What a Channel says, with the offsets of its spans.  *len: all its bytes; the
 * last span need not exist. */
struct cyber_decl {
	size_t name, name_len;
	size_t type, type_len;
	size_t desc;
	uint64_t desc_len;
};
enum cyber_read cyber_decl_get(const uint8_t *p, size_t have, unsigned first,
    struct cyber_decl *, uint64_t *len);

/* Return true if a recorder would write this name. */
bool cyber_name_ok(const uint8_t *p, size_t n);

/* An entry of the index without its content, which follows after `head` bytes
 * and has `len` bytes. */
struct cyber_entry_head {
	uint32_t type;
	uint64_t position;
	uint32_t tag; /* of the content */
	size_t head;
	uint64_t len;
};
enum cyber_read cyber_entry_get(
    const uint8_t *p, size_t have, struct cyber_entry_head *);
bool cyber_entry_claim_get(const uint8_t *p, size_t n, struct cyber_claim *);
bool cyber_entry_body_get(const uint8_t *p, size_t n, uint64_t *messages);

/* cyber_make.c - the same, encoded and appended. */
void cyber_put_section(struct slv_buf *, enum cyber_type, uint64_t size);
/* Fields 1 .. n with the values v[1] .. v[n]. */
void cyber_put_numbers(struct slv_buf *, const uint64_t *v, unsigned n);
void cyber_put_claim(struct slv_buf *, const struct cyber_claim *);
void cyber_put_decl(struct slv_buf *, unsigned first, struct slv_span name,
    struct slv_span type, uint64_t desc_len);
/* The entry of a chunk's header, or of its body. */
void cyber_put_chunk_entry(struct slv_buf *, enum cyber_type, uint64_t position,
    const struct cyber_claim *);
/* The entry of a channel, up to its description. */
void cyber_put_channel_entry(struct slv_buf *, uint64_t position,
    uint64_t messages, struct slv_span name, struct slv_span type,
    uint64_t desc_len);

#endif
