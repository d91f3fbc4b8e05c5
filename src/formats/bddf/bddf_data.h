/* bddf_data.h - the DataDescriptor in front of every payload.
 *
 * Decoded by hand, because it is read once for every block; the generated
 * decoder is the tests' judge of it.
 */
#ifndef SLV_FORMATS_BDDF_DATA_H
#define SLV_FORMATS_BDDF_DATA_H

#include "base/status.h"

enum bddf_read {
	BDDF_WHOLE,  /* parses to its end */
	BDDF_CUT,    /* right so far, but the bytes run out */
	BDDF_BROKEN, /* cannot be one */
};

struct bddf_data {
	uint32_t series;
	bool has_time;
	int64_t sec;
	int32_t nanos;
	uint32_t n_extra; /* additional indexes */
	bool strange;     /* holds a field that version 1.0.0 has not */
};

/* Numbers of many records, in pieces that never move. */
struct bddf_pool {
	int64_t **pieces; /* owned */
	size_t n_pieces, cap;
	uint64_t n;  /* numbers in all */
	bool failed; /* memory ran out */
};

void bddf_pool_push(struct bddf_pool *, int64_t value);
int64_t bddf_pool_at(const struct bddf_pool *, uint64_t i);
void bddf_pool_set(struct bddf_pool *, uint64_t i, int64_t value);
void bddf_pool_free(struct bddf_pool *);

/* Decode a DataDescriptor of `size` bytes of which the first `have` are at
 * p.  The additional indexes are pushed to pool, if it is not NULL. */
enum bddf_read bddf_data_get(const uint8_t *p, size_t have, size_t size,
    struct bddf_data *out, struct bddf_pool *pool);

/* Whether its time is one: nanoseconds in range. */
bool bddf_data_time_ok(const struct bddf_data *);

#endif
