/* cyber_wire.h - the pieces of a record, taken from bytes.
 *
 * A record is sections: 16 bytes (type, size), then a protobuf.  What every
 * message has is read by hand; of all else the keys and lengths are, and the
 * messages of a few numbers are nanopb's.  Facts: docs/formats/cyber.md.
 */
#ifndef SLV_FORMATS_CYBER_WIRE_H
#define SLV_FORMATS_CYBER_WIRE_H

#include "base/buf.h"
#include "base/bytes.h"

#define CYBER_SECTION     16   /* bytes of a section's head */
#define CYBER_DATA_START  2064 /* where the first section of any record begins */
#define CYBER_NAME_MAX    1024 /* bytes of a channel's name, or of its type */
#define CYBER_INNER_MIN   6    /* bytes of a SingleMessage */
#define CYBER_HEAD_MAX    1060 /* bytes of a message in front of its content */
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

/* A varint of n bytes, in the shortest form: BAD if it is in another. */
enum cyber_read cyber_varint_get(
    const uint8_t *p, size_t have, uint64_t *v, size_t *n);

/* The key and the length or the number of a field. */
struct cyber_field {
	uint32_t tag;
	bool is_span;
	size_t head;  /* bytes in front of the span; of a number, all */
	uint64_t len; /* of the span; need not be there */
	uint64_t number;
};
enum cyber_read cyber_field_get(
    const uint8_t *p, size_t have, struct cyber_field *);

/* A message of a ChunkBody. */
struct cyber_message {
	size_t head;      /* bytes in front of its content */
	uint64_t content; /* bytes */
	size_t name, name_len;
	uint64_t time; /* ns */
};
/* The head must be there; its content need not. */
enum cyber_read cyber_message_get(
    const uint8_t *p, size_t have, struct cyber_message *);

static inline uint64_t
cyber_message_span(const struct cyber_message *m)
{
	return m->head + m->content;
}

/* The same of one whose first key or length is damaged: it is known by what
 * stands in it. */
bool cyber_message_guess(const uint8_t *p, size_t have, struct cyber_message *);

/* What a ChunkHeader says. */
struct cyber_claim {
	uint64_t begin, end; /* ns */
	uint64_t messages, raw;
};
/* One that fills n bytes, or, with *n 0, of as many as it has. */
bool cyber_claim_get(
    const uint8_t *p, size_t have, size_t *n, struct cyber_claim *);

/* What a Channel says; where its spans stand in what was read.  *len: bytes
 * of all of it, of which the last span need not be there. */
struct cyber_decl {
	size_t name, name_len;
	size_t type, type_len;
	size_t desc;
	uint64_t desc_len;
};
enum cyber_read cyber_decl_get(const uint8_t *p, size_t have, unsigned first,
    struct cyber_decl *, uint64_t *len);

/* Whether a name is one that a recorder writes. */
bool cyber_name_ok(const uint8_t *p, size_t n);

/* An entry of the index without what it holds, which stands behind `head`
 * bytes and is `len` long. */
struct cyber_entry_head {
	uint32_t type;
	uint64_t position;
	uint32_t tag; /* of what it holds */
	size_t head;
	uint64_t len;
};
enum cyber_read cyber_entry_get(
    const uint8_t *p, size_t have, struct cyber_entry_head *);
bool cyber_entry_claim_get(const uint8_t *p, size_t n, struct cyber_claim *);
bool cyber_entry_body_get(const uint8_t *p, size_t n, uint64_t *messages);

/* cyber_make.c - the same, made anew; appended. */
void cyber_put_section(struct slv_buf *, enum cyber_type, uint64_t size);
/* Fields 1 .. n, which are v[1] .. v[n]. */
void cyber_put_numbers(struct slv_buf *, const uint64_t *v, unsigned n);
void cyber_put_claim(struct slv_buf *, const struct cyber_claim *);
void cyber_put_decl(struct slv_buf *, unsigned first, struct slv_span name,
    struct slv_span type, uint64_t desc_len);
/* The entry of a chunk's header, or of its body. */
void cyber_put_chunk_entry(struct slv_buf *, enum cyber_type, uint64_t position,
    const struct cyber_claim *);
/* That of a channel, up to its description. */
void cyber_put_channel_entry(struct slv_buf *, uint64_t position,
    uint64_t messages, struct slv_span name, struct slv_span type,
    uint64_t desc_len);

#endif
