/* rosrecord_record.h - one record of a bag of version 1.2, decoded from bytes.
 *
 * A record is a u32 length, a header of named fields in any order, another u32
 * length and the data.  All numbers are little-endian.  Source of the facts:
 * the readers of this version in ROS 1.15 (rosbag for Python and C++) and its
 * first writer, rosrecord.
 */
#ifndef SLV_FORMATS_ROSRECORD_RECORD_H
#define SLV_FORMATS_ROSRECORD_RECORD_H

#include "base/buf.h"
#include "base/bytes.h"

#define ROSREC_MAGIC      "#ROSRECORD V1.2\n"
#define ROSREC_MAGIC_SIZE 16
#define ROSREC_HEADER_LEN 4104 /* bytes of a bag header with its padding */

#define ROSREC_FIELDS_MIN 8                   /* bytes of a header */
#define ROSREC_FIELDS_MAX ((uint32_t)1 << 20) /* it may hold a definition */
#define ROSREC_ENTRY_SIZE 16 /* bytes of an index entry: time, offset */

enum rosrec_op {
	ROSREC_DEF = 1,     /* the definition of a topic */
	ROSREC_MESSAGE = 2, /* states topic and type itself */
	ROSREC_HEADER = 3,  /* offset of the index; 0: never closed */
	ROSREC_INDEX = 4,   /* the index of one topic */
	ROSREC_OPS
};

enum rosrec_read {
	ROSREC_WHOLE, /* the header exists and is valid */
	ROSREC_SHORT, /* the bytes end in the header */
	ROSREC_BAD,
};

struct rosrec_record {
	enum rosrec_read read;
	uint32_t op;     /* enum rosrec_op */
	uint32_t fields; /* bytes of the header */
	uint32_t data;   /* bytes of data */

	/* What its op requires; everything else is 0.  Texts are borrowed. */
	uint32_t sec, nsec; /* since 1970-01-01 UTC; nsec < 1e9 */
	uint32_t ver, count;
	uint64_t index_pos;
	struct slv_span topic, md5, type, def;
};

/* Decode the record at p, of which `have` bytes exist; its data need not
 * exist. */
enum rosrec_read rosrec_record_get(
    const uint8_t *p, size_t have, struct rosrec_record *);

/* Bytes before the data, and of the whole record. */
static inline uint64_t
rosrec_head(const struct rosrec_record *r)
{
	return (uint64_t)r->fields + 8;
}

static inline uint64_t
rosrec_span(const struct rosrec_record *r)
{
	return rosrec_head(r) + r->data;
}

/* How many of the n bytes at p are whole fields, from the first one on. */
size_t rosrec_fields_length(const uint8_t *p, size_t n);

/* The first place in [0, upto) of the n bytes at which a record may begin; upto
 * if there is none. */
size_t rosrec_record_find(const uint8_t *p, size_t n, size_t upto);

/* A hash of md5 sum and name, which identifies a type. */
uint64_t rosrec_type_id(const struct rosrec_record *);

/* Append records as the C++ library wrote them, with the fields sorted by
 * name. */
void rosrec_make_header(uint64_t index_pos, struct slv_buf *);
void rosrec_make_def(
    struct slv_span topic, const struct rosrec_record *like, struct slv_buf *);
void rosrec_make_index(struct slv_span topic, uint32_t count, struct slv_buf *);
void rosrec_make_entry(
    uint32_t sec, uint32_t nsec, uint64_t off, struct slv_buf *);

#endif
