/* mcap_body.h - what a chunk holds: its records, and where it is compressed what
 * can be decoded of them.
 */
#ifndef SLV_FORMATS_MCAP_BODY_H
#define SLV_FORMATS_MCAP_BODY_H

#include "codec/codec.h"
#include "formats/mcap/read/mcap_record.h"

/* What the head of a chunk says. */
struct mcap_claim {
	uint64_t start, stop;
	uint64_t size;   /* bytes that are not compressed */
	uint64_t stored; /* ... and as they are; MCAP_OPEN: not set */
	uint32_t crc;    /* 0: none */
};

/* A record in the data of a chunk. */
struct mcap_entry {
	uint64_t at;  /* in the input; of a compressed chunk in what it holds */
	uint64_t len; /* with its opcode and length */
	uint64_t time, publish;
	uint32_t decl; /* position in the list of declarations */
	uint32_t sequence;
	uint32_t next; /* position of the channel's next message */
	uint16_t id;   /* of a schema, a channel, or a message's channel */
	uint8_t op;
	bool named; /* the index of its chunk has it */
};

struct mcap_entries {
	struct mcap_entry *at; /* owned */
	size_t n, cap;
};

struct mcap_body {
	uint64_t off, limit; /* of what is stored, in the input */
	uint64_t size;       /* and what a head states of it */
	uint32_t crc;
	enum slv_codec_kind codec;
	struct slv_decode decode;
	struct mcap_entries entries; /* those that are whole */
	uint64_t end;                /* of the last of them */
	bool whole;       /* it decodes to its end, records from end to end, and
	                  * a checksum, where there is one, confirms them */
	bool summed;      /* there is one */
	bool refuted;     /* ... and it does not */
	bool field_wrong; /* ... but it does with one byte of it wrong */
	bool unsure; /* what was decoded may be wrong before damage shows */
	uint64_t messages;
};

/* The entry of a record that begins at `at`; its declaration is not set. */
struct mcap_entry mcap_entry_get(const struct mcap_record *, uint64_t at);

/* The same of a message, from the first n bytes of it; false: they are no head of
 * one, or its length is impossible. */
static inline bool
mcap_message_get(
    const uint8_t *p, uint64_t n, uint64_t at, struct mcap_entry *e)
{
	uint64_t len;

	if (n < MCAP_MESSAGE_HEAD || p[0] != MCAP_MESSAGE)
		return false;
	len = slv_get_le64(p + 1);
	if (len < MCAP_MESSAGE_HEAD - MCAP_HEAD || len > UINT64_MAX - MCAP_HEAD)
		return false;
	*e = (struct mcap_entry){
		.at = at,
		.len = len + MCAP_HEAD,
		.time = slv_get_le64(p + 15),
		.publish = slv_get_le64(p + 23),
		.sequence = slv_get_le32(p + 11),
		.id = slv_get_le16(p + 9),
		.op = MCAP_MESSAGE,
	};
	return true;
}

/* What is stored in [off, limit) holds; borrowed until the next call. */
enum slv_status mcap_body_at(const struct slv_scan *, uint64_t off,
    uint64_t limit, enum slv_codec_kind, uint64_t size, uint32_t crc,
    const struct mcap_body **, struct slv_err *);

/* Whether two checksums differ in one byte only: then the one that is stated is wrong, and
 * not what it is of. */
bool mcap_is_field_wrong(uint32_t own, uint32_t stated);

void mcap_body_free(struct mcap_body *);

/* What the MessageIndexes of a chunk name. */
struct mcap_named {
	uint64_t offset; /* in the chunk's records */
	uint64_t time;
	uint16_t id; /* of the channel */
};

struct mcap_names {
	struct mcap_named *at; /* owned; by offset */
	size_t n, cap;
};

/* mcap_names.c - read those that begin at off, at most max entries; the one of a
 * place, or NULL; and whether they name a message. */
enum slv_status mcap_names_read(const struct slv_scan *, uint64_t off,
    size_t max, struct mcap_names *, struct slv_err *);
const struct mcap_named *mcap_names_place(
    const struct mcap_names *, uint64_t offset);
bool mcap_names_tell(
    const struct mcap_names *, uint64_t offset, uint16_t id, uint64_t time);

#endif
