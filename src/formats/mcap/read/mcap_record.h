/* mcap_record.h - one record of an MCAP file, taken from bytes.
 *
 * A record is an opcode (u8), the length of its content (u64) and the content.
 * Numbers are little-endian; a string is a u32 length and its bytes.  Facts:
 * docs/formats/mcap.md, after https://mcap.dev/spec.
 */
#ifndef SLV_FORMATS_MCAP_RECORD_H
#define SLV_FORMATS_MCAP_RECORD_H

#include "base/bytes.h"
#include "codec/codec.h"
#include "core/scan/scan.h"

#define MCAP_MAGIC        "\x89MCAP0\r\n"
#define MCAP_MAGIC_SIZE   8
#define MCAP_BEGINNING    MCAP_MAGIC "\1" /* ends with the opcode of a Header */
#define MCAP_HEAD         9               /* bytes of an opcode and a length */
#define MCAP_MESSAGE_HEAD 31 /* ... and of all before a message's payload */
#define MCAP_CHUNK_HEAD                                                        \
	49 /* ... of a chunk, without the name of its compression */
#define MCAP_FOOTER_SIZE 29
#define MCAP_TAIL_SIZE   (MCAP_FOOTER_SIZE + MCAP_MAGIC_SIZE)
#define MCAP_DATA_END    13 /* bytes of the record */
#define MCAP_CRC_SIZE    4
#define MCAP_ENTRY       16 /* of a MessageIndex: time, offset in the chunk */
#define MCAP_COUNT       10 /* of a map: channel and an offset or a count */
#define MCAP_OPEN        UINT64_MAX /* a length that its writer never set */
#define MCAP_STRING_MAX  ((uint64_t)1 << 20) /* bytes; no name is so long */
#define MCAP_WORD_MAX    32                  /* ... nor that of a compression */

enum mcap_op {
	MCAP_HEADER = 0x01,
	MCAP_FOOTER = 0x02,
	MCAP_SCHEMA = 0x03,
	MCAP_CHANNEL = 0x04,
	MCAP_MESSAGE = 0x05,
	MCAP_CHUNK = 0x06,
	MCAP_MESSAGE_INDEX = 0x07,
	MCAP_CHUNK_INDEX = 0x08,
	MCAP_ATTACHMENT = 0x09,
	MCAP_ATTACHMENT_INDEX = 0x0a,
	MCAP_STATISTICS = 0x0b,
	MCAP_METADATA = 0x0c,
	MCAP_METADATA_INDEX = 0x0d,
	MCAP_SUMMARY_OFFSET = 0x0e,
	MCAP_DATA_END_OP = 0x0f,
	MCAP_OPS = 0x10, /* from here on: opcodes that no version defines yet */
	MCAP_PRIVATE = 0x80 /* ... and that none will: an application's own */
};

/* Sets of opcodes. */
#define MCAP_BIT(op) (1u << (op))
#define MCAP_INNER                                                             \
	(MCAP_BIT(MCAP_SCHEMA) | MCAP_BIT(MCAP_CHANNEL)                        \
	    | MCAP_BIT(MCAP_MESSAGE))
#define MCAP_OUTER                                                             \
	(MCAP_BIT(MCAP_CHUNK) | MCAP_BIT(MCAP_MESSAGE_INDEX)                   \
	    | MCAP_BIT(MCAP_ATTACHMENT) | MCAP_BIT(MCAP_METADATA)              \
	    | MCAP_BIT(MCAP_DATA_END_OP))
#define MCAP_DERIVED                                                           \
	(MCAP_BIT(MCAP_CHUNK_INDEX) | MCAP_BIT(MCAP_ATTACHMENT_INDEX)          \
	    | MCAP_BIT(MCAP_STATISTICS) | MCAP_BIT(MCAP_METADATA_INDEX)        \
	    | MCAP_BIT(MCAP_SUMMARY_OFFSET) | MCAP_BIT(MCAP_FOOTER))

/* What the fields of a record are.  Of text and lists the value is how many
 * bytes they have. */
enum mcap_field {
	MCAP_ID, /* of a schema or channel; of a group its opcode */
	MCAP_SCHEMA_ID,
	MCAP_SEQUENCE,
	MCAP_LOG_TIME,
	MCAP_PUBLISH, /* publish or create time */
	MCAP_START,   /* the first and the last time of a chunk or a file */
	MCAP_STOP,
	MCAP_OFFSET, /* where something is in the file, and its length */
	MCAP_LENGTH,
	MCAP_SIZE,   /* bytes that are not compressed */
	MCAP_STORED, /* ... and as they are stored */
	MCAP_CRC,
	MCAP_MESSAGES, /* counts */
	MCAP_SCHEMAS,
	MCAP_CHANNELS,
	MCAP_ATTACHMENTS,
	MCAP_METADATAS,
	MCAP_CHUNKS,
	MCAP_NAME,     /* topic, profile */
	MCAP_ENCODING, /* compression, media type, library */
	MCAP_DATA,     /* payload, entries of a list */
	MCAP_MAP,
	MCAP_FIELDS
};

/* Where the bytes of records are: in a source, or in memory. */
struct mcap_bytes {
	struct slv_window *window; /* borrowed; NULL: in memory */
	const uint8_t *at;         /* borrowed; then: here */
	uint64_t end;              /* there are no more */
};

struct mcap_record {
	unsigned op;
	uint64_t len;             /* of the content, as it says */
	uint64_t v[MCAP_FIELDS];  /* values */
	uint64_t at[MCAP_FIELDS]; /* where they are, from the opcode on */
	uint64_t used;            /* bytes up to the end of the last field */
};

enum mcap_read {
	MCAP_WHOLE,
	MCAP_SHORT, /* it reaches beyond the end of the bytes */
	MCAP_BAD,
};

/* Bytes of the whole record. */
static inline uint64_t
mcap_span(const struct mcap_record *r)
{
	return r->len > UINT64_MAX - MCAP_HEAD ? UINT64_MAX
	                                       : r->len + MCAP_HEAD;
}

/* Whether a chunk may hold it: zeros are no evidence of an application's record. */
static inline bool
mcap_is_inner(const struct mcap_record *r)
{
	return r->op < MCAP_OPS ? MCAP_INNER >> r->op & 1
	                        : r->op >= MCAP_PRIVATE && r->len > 0;
}

/* The same bytes, up to the end of the source. */
static inline struct mcap_bytes
mcap_bytes_of(const struct slv_scan *s)
{
	return (struct mcap_bytes){ s->window, NULL, s->source->size };
}

static inline enum slv_status
mcap_view(const struct mcap_bytes *b, uint64_t off, size_t n,
    const uint8_t **out, struct slv_err *err)
{
	if (b->window != NULL)
		return slv_window_view(b->window, off, n, out, err);
	*out = b->at + off;
	return SLV_OK;
}

/* The record at off.  WHOLE: its fields are within its length, and all of it is
 * there.  SHORT: *r holds the opcode, the length and the fields that are there. */
enum slv_status mcap_record_get(const struct mcap_bytes *, uint64_t off,
    struct mcap_record *, enum mcap_read *, struct slv_err *);

/* Whether its texts are UTF-8, without zeros: readers refuse others.
 *
 *   plain  and without control characters: they are legal, but no writer is known to
 *          write any, and bytes that are no record have many */
enum slv_status mcap_record_is_text(const struct mcap_bytes *, uint64_t off,
    const struct mcap_record *, bool plain, bool *yes, struct slv_err *);

/* Whether nothing in the record but what its fields say could be otherwise: no
 * bytes after the last field, names that are text, lists in order.  For records
 * that are searched for among other bytes. */
enum slv_status mcap_record_strict(const struct mcap_bytes *, uint64_t off,
    const struct mcap_record *, bool *yes, struct slv_err *);

/* Go on with a CRC-32 over n bytes at off. */
enum slv_status mcap_crc(const struct mcap_bytes *, uint64_t off, uint64_t n,
    uint32_t *crc, struct slv_err *);

/* The compression that a chunk names; false: one that is unknown here. */
bool mcap_codec_get(const uint8_t *name, size_t n, enum slv_codec_kind *);
/* ... and its name. */
const char *mcap_codec_name(enum slv_codec_kind);

/* Whether a text may have this byte: no control character, but what lays text out. */
static inline bool
mcap_in_text(uint8_t c)
{
	return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
}

static inline struct slv_moment
mcap_moment(uint64_t ns)
{
	return (struct slv_moment){
		.sec = (int64_t)(ns / 1000000000),
		.nanos = (uint32_t)(ns % 1000000000),
		.known = true,
	};
}

#endif
