/* rosbag_record.h - one record of a bag, decoded from bytes.
 *
 * A record is a u32 length, a header of named fields in any order, another u32
 * length and the data.  All numbers are little-endian.  Facts:
 * docs/formats/rosbag.md.
 */
#ifndef SLV_FORMATS_ROSBAG_RECORD_H
#define SLV_FORMATS_ROSBAG_RECORD_H

#include "base/bytes.h"
#include "codec/codec.h"

#define ROSBAG_MAGIC      "#ROSBAG V2.0\n"
#define ROSBAG_MAGIC_SIZE 13
#define ROSBAG_PAGE       4096 /* fields and padding of the bag header */
#define ROSBAG_DATA_START 4117 /* offset of the first chunk of any bag */

#define ROSBAG_FIELDS_MIN 8     /* bytes of a header with `op` alone */
#define ROSBAG_FIELDS_MAX 70000 /* topics are never that long */
#define ROSBAG_ENTRY_SIZE 12    /* bytes of an entry of INDEX_DATA */
#define ROSBAG_COUNT_SIZE 8     /* bytes of an entry of CHUNK_INFO */

/* In a message: bytes before its payload; the same without the length of the
 * payload; and how many of these must be as expected in a search for a damaged
 * one. */
#define ROSBAG_MESSAGE_HEAD   46
#define ROSBAG_MESSAGE_FIELDS 42
#define ROSBAG_ALIKE          34

enum rosbag_op {
	ROSBAG_MSG_DEF = 1, /* in V1.2 only */
	ROSBAG_MESSAGE = 2,
	ROSBAG_BAG_HEADER = 3,
	ROSBAG_INDEX = 4,
	ROSBAG_CHUNK = 5,
	ROSBAG_INFO = 6,
	ROSBAG_CONN = 7,
	ROSBAG_OPS
};

struct rosbag_time {
	uint32_t sec, nsec; /* since 1970-01-01 UTC; nsec < 1e9 */
};

/* An entry of INDEX_DATA. */
struct rosbag_named {
	struct rosbag_time time;
	uint32_t offset; /* in the content of the chunk */
	uint32_t conn;   /* id of the connection */
};

static inline struct rosbag_named
rosbag_named_get(const uint8_t *p, uint32_t conn)
{
	return (struct rosbag_named){
		.time = { slv_get_le32(p), slv_get_le32(p + 4) },
		.offset = slv_get_le32(p + 8),
		.conn = conn,
	};
}

enum rosbag_read {
	ROSBAG_WHOLE, /* the header is there and says what it must */
	ROSBAG_SHORT, /* the bytes end in the header */
	ROSBAG_BAD,
};

struct rosbag_record {
	enum rosbag_read read;
	uint32_t op;     /* enum rosbag_op */
	uint32_t fields; /* bytes of the header */
	uint32_t data;   /* bytes of data */

	/* What its op requires; everything else is 0. */
	uint32_t conn, count, ver, size, n_conns, n_chunks;
	uint64_t index_pos, chunk_pos;
	struct rosbag_time time, start, end;
	enum slv_codec_kind codec;
	uint32_t topic, topic_len; /* offset in the record */
	bool encrypted;
};

/* The names of compressions; NULL: bags do not have it. */
#define ROSBAG_CODECS (SLV_CODEC_BZ2 + 1)
extern const char *const rosbag_codecs[ROSBAG_CODECS];

/* Decode the record at p, of which `have` bytes exist; its data need not exist.
 * Nothing else is checked. */
enum rosbag_read rosbag_record_get(
    const uint8_t *p, size_t have, struct rosbag_record *);

/* The same; true: it is complete and may be in the data of a chunk. */
bool rosbag_inner_get(const uint8_t *p, size_t have, struct rosbag_record *);

/* Bytes before the data. */
static inline uint32_t
rosbag_head(const struct rosbag_record *r)
{
	return r->fields + 8;
}

/* Bytes of the whole record. */
static inline uint64_t
rosbag_span(const struct rosbag_record *r)
{
	return (uint64_t)rosbag_head(r) + r->data;
}

/* The first place in [from, upto) at which a record with an op of `ops` (bits 1
 * << op) begins, by the n bytes, upto or more; upto if there is none. */
size_t rosbag_record_find(
    const uint8_t *p, size_t n, size_t from, size_t upto, unsigned ops);

/* rosbag_about.c - what the data of a connection say about it; borrowed from
 * p. */
struct rosbag_about {
	struct slv_span type, md5sum, definition;
};

/* Find them, as far as they exist and are valid: plain text, and a sum of 32
 * hexadecimal digits.  false: one is invalid. */
bool rosbag_about_get(const uint8_t *p, size_t n, struct rosbag_about *);

/* Return true if topic, type and all other names of a connection record are
 * valid in ROS, and all fields are those that recorders write.  There are bags
 * with other names; if two declarations differ it shows which one is
 * damaged. */
bool rosbag_names_legal(const uint8_t *record, const struct rosbag_record *);

/* The first field of p that q lacks, as name=value, and the value of q under
 * its name; empty: there is none. */
void rosbag_fields_differ(const uint8_t *p, uint32_t n, const uint8_t *q,
    uint32_t m, struct slv_span *here, struct slv_span *there);

/* Return true if two lists of fields are equal, in any order. */
bool rosbag_fields_same(const uint8_t *p, size_t n, const uint8_t *q, size_t m);

#endif
