/* bddf_wire.h - the messages that a log holds for every block, by hand: the
 * DataDescriptor in front of a payload and the BlockEntry of an index.
 *
 * They are read once for every block and written once for every block, where
 * the generated coder takes more time than all the rest; it is the tests'
 * judge of this one.  Nothing is allocated.
 */
#ifndef SLV_FORMATS_BDDF_WIRE_H
#define SLV_FORMATS_BDDF_WIRE_H

#include "formats/bddf/index/bddf_pool.h"

#define BDDF_NOWHERE  UINT64_MAX  /* in bddf_entry.off */
#define BDDF_NO_TIME  0x80000000u /* in bddf_entry.nanos */
#define BDDF_BAD_TIME UINT32_MAX  /* ... : nanoseconds that nobody wrote */

enum bddf_read {
	BDDF_WHOLE,  /* parses to its end */
	BDDF_CUT,    /* right so far, but the bytes run out */
	BDDF_BROKEN, /* cannot be one */
};

/* A DataDescriptor. */
struct bddf_data {
	uint32_t size; /* bytes of it */
	uint32_t series;
	bool has_time;
	int64_t sec;
	int32_t nanos;    /* -1: no 31 bits hold them */
	uint32_t n_extra; /* additional indexes */
	bool strange;     /* holds a field that version 1.0.0 has not */
	bool odd;         /* its known fields are longer or shorter than
	                   * protobuf's own writers have them */
};

/* One data block, as an index has it. */
struct bddf_entry {
	uint64_t off; /* in the input; BDDF_NOWHERE: there is no such entry */
	int64_t sec;
	uint32_t nanos; /* BDDF_NO_TIME where it has no timestamp */
	uint32_t extra; /* 0, or 1 + where in the pool the number of its
			 * additional indexes stands, themselves behind it */
};

/* What a message holds besides. */
struct bddf_entry_more {
	uint32_t n_extra; /* additional indexes */
	bool strange;     /* holds a field that version 1.0.0 has not */
};

/* Is told the additional indexes of a message one by one. */
typedef void (*bddf_extra_fn)(void *ctx, uint64_t value);

/* Decode a DataDescriptor of `size` bytes, at most UINT32_MAX, of which the
 * first `have` are at p.  `extra` may be NULL; of a message that is not WHOLE
 * it may have been told some. */
enum bddf_read bddf_data_get(const uint8_t *p, size_t have, size_t size,
    struct bddf_data *out, bddf_extra_fn extra, void *ctx);

/* Whether its time is one: nanoseconds in range. */
bool bddf_data_time_ok(const struct bddf_data *);

/* Decode the n bytes of a BlockEntry: WHOLE or BROKEN.  out->extra is 0. */
enum bddf_read bddf_entry_get(const uint8_t *p, size_t n,
    struct bddf_entry *out, struct bddf_entry_more *, bddf_extra_fn extra,
    void *ctx);

/* bddf_encode.c.  Bytes of the entry as a field of its SeriesBlockIndex, with
 * `off` for its offset and the n numbers of the pool from entry->extra on. */
size_t bddf_entry_size(const struct bddf_entry *, uint64_t off,
    const struct bddf_pool *, uint64_t n);

/* Write these bytes, and spoil up to 8 behind them; returns where they end. */
uint8_t *bddf_entry_put(uint8_t *out, const struct bddf_entry *, uint64_t off,
    const struct bddf_pool *, uint64_t n);

/* The wire's own: a number, and a field of one, which is left out where it is
 * 0.  10 bytes are enough for a number. */
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
