/* bddf_frame.h - blocks as bytes: headers, and the two ways to write each half
 * of them.
 *
 * The published grammar and the vendor's writer disagree on the numbers of the
 * block types and on the place of the type in the header, so there are four
 * dialects.  A repair writes the dialect that it read.
 */
#ifndef SLV_FORMATS_BDDF_FRAME_H
#define SLV_FORMATS_BDDF_FRAME_H

#include "base/bytes.h"

#define BDDF_MAGIC       "BDDF"
#define BDDF_END_MAGIC   "FDDB"
#define BDDF_MAGIC_SIZE  4
#define BDDF_HEADER_SIZE 8
#define BDDF_DATA_HEAD                                                         \
	(BDDF_HEADER_SIZE + 4) /* of a data block, up to the DataDescriptor */
#define BDDF_DIGEST_SIZE 20
#define BDDF_END_SIZE    40 /* header, index offset, digest, magic */
#define BDDF_DIGEST_AT   16 /* offset of the digest in the end block */
#define BDDF_SIZE_MAX    (((uint64_t)1 << 56) - 1)
#define BDDF_MESSAGE_MAX                                                       \
	((uint64_t)INT32_MAX)           /* bytes; limit of protobuf's readers */
#define BDDF_DD_MAX ((uint32_t)1 << 20) /* bytes of a DataDescriptor */

enum bddf_type { BDDF_DATA, BDDF_DESCRIPTOR, BDDF_END, BDDF_NO_TYPE };

struct bddf_dialect {
	bool grammar;    /* types numbered as in the published grammar */
	bool type_first; /* the type is the header's first byte */
};

struct bddf_head {
	enum bddf_type type;
	uint64_t size; /* block-size, 0 .. BDDF_SIZE_MAX */
};

/* The first combination is the one that robots write. */
extern const struct bddf_dialect bddf_dialects[4];
const char *bddf_dialect_name(struct bddf_dialect);

/* The type of each number, by numbering. */
extern const enum bddf_type bddf_types[2][3];

static inline struct bddf_head
bddf_head_get(struct bddf_dialect d, const uint8_t *header)
{
	uint64_t v = slv_get_le64(header);
	unsigned number = d.type_first ? header[0] : header[7];

	return (struct bddf_head){
		.type =
		    number < 3 ? bddf_types[d.grammar][number] : BDDF_NO_TYPE,
		.size = d.type_first ? v >> 8 : v & BDDF_SIZE_MAX,
	};
}

void bddf_head_put(struct bddf_dialect, struct bddf_head, uint8_t *header);

/* Bytes of the whole block, header included.  Cannot overflow. */
static inline uint64_t
bddf_head_span(struct bddf_head h)
{
	switch (h.type) {
	case BDDF_DATA: return BDDF_HEADER_SIZE + 4 + h.size;
	case BDDF_END: return BDDF_END_SIZE;
	case BDDF_DESCRIPTOR:
	case BDDF_NO_TYPE: break;
	}
	return BDDF_HEADER_SIZE + h.size;
}

/* The header of an end block: its block-size is 24 in the writer's dialect, 20
 * in the grammar's. */
void bddf_end_header(struct bddf_dialect, uint8_t *header);

/* Return true if the first n <= 8 bytes are those of an end header. */
bool bddf_is_end_header(struct bddf_dialect, const uint8_t *bytes, size_t n);

#endif
