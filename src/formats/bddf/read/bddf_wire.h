/* bddf_wire.h - the messages that a log holds for every block, by hand: the
 * DataDescriptor before a payload and the BlockEntry of an index.
 *
 * They are read once and written once for every block, and the generated coder
 * would take more time than all the rest; tests compare both.  Nothing is
 * allocated.
 */
#ifndef SLV_FORMATS_BDDF_WIRE_H
#define SLV_FORMATS_BDDF_WIRE_H

#include "formats/bddf/index/bddf_pool.h"

#define BDDF_NOWHERE  UINT64_MAX  /* in bddf_entry.off */
#define BDDF_NO_TIME  0x80000000u /* in bddf_entry.nanos */
#define BDDF_BAD_TIME UINT32_MAX  /* ... : nanoseconds out of range */

enum bddf_read {
	BDDF_WHOLE,  /* parses to its end */
	BDDF_CUT,    /* right so far, but the bytes run out */
	BDDF_BROKEN, /* not such a message */
};

/* A DataDescriptor. */
struct bddf_data {
	uint32_t size; /* bytes of it */
	uint32_t series;
	bool has_time;
	int64_t sec;
	int32_t nanos;    /* -1: 31 bits do not hold them */
	uint32_t n_extra; /* additional indexes */
	bool strange;     /* has a field that version 1.0.0 does not have */
	bool odd;         /* a known field is longer or shorter than protobuf's
			   * own writers encode it */
};

/* One data block, as an index describes it. */
struct bddf_entry {
	uint64_t off; /* in the input; BDDF_NOWHERE: there is no such entry */
	int64_t sec;
	uint32_t nanos; /* BDDF_NO_TIME if it has no timestamp */
	uint32_t extra; /* 0, or 1 + the offset in the pool of the number of its
			 * additional indexes, followed by these */
};

/* What else a message holds. */
struct bddf_entry_more {
	uint32_t n_extra; /* additional indexes */
	bool strange;     /* has a field that version 1.0.0 does not have */
};

/* Called with the additional indexes of a message, one by one. */
typedef void (*bddf_extra_fn)(void *ctx, uint64_t value);

/* Decode a DataDescriptor of `size` bytes, at most UINT32_MAX, of which the
 * first `have` are at p.  `extra` may be NULL; for a message that is not WHOLE
 * it may have been called. */
enum bddf_read bddf_data_get(const uint8_t *p, size_t have, size_t size,
    struct bddf_data *out, bddf_extra_fn extra, void *ctx);

/* Return true if its time is valid: nanoseconds in range. */
bool bddf_data_time_ok(const struct bddf_data *);

/* Decode the n bytes of a BlockEntry: WHOLE or BROKEN.  out->extra is 0. */
enum bddf_read bddf_entry_get(const uint8_t *p, size_t n,
    struct bddf_entry *out, struct bddf_entry_more *, bddf_extra_fn extra,
    void *ctx);

/* bddf_encode.c.  Bytes of the entry as a field of its SeriesBlockIndex, with
 * `off` for its offset and the n numbers of the pool from entry->extra on. */
size_t bddf_entry_size(const struct bddf_entry *, uint64_t off,
    const struct bddf_pool *, uint64_t n);

/* Write these bytes, and overwrite up to 8 after them; returns their end. */
uint8_t *bddf_entry_put(uint8_t *out, const struct bddf_entry *, uint64_t off,
    const struct bddf_pool *, uint64_t n);

/* Used by bddf_wire.c and bddf_encode.c: a number, and a numeric field, which
 * is left out if it is 0.  10 bytes are enough for a number. */
static inline size_t
bddf_varint_size(uint64_t v)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);

	/* A seventh of them, rounded up. */
	return (9 * bits + 64) / 64;
}

uint8_t *bddf_varint_put(uint8_t *out, uint64_t);
size_t bddf_number_size(uint64_t);
uint8_t *bddf_number_put(uint8_t *out, unsigned tag, uint64_t);

#endif
