/* carla_rows.h - frames in a row: kept ones and those in lost bytes.
 *
 * A row is as certain as its numbers: each frame leads to the next.  The bytes
 * between rows are damaged, and two rows may belong to two logs, because user
 * packets may carry pieces of another log.  If frames of the previous row are
 * repeated, the frames after them are a row of their own.
 */
#ifndef SLV_FORMATS_CARLA_ROWS_H
#define SLV_FORMATS_CARLA_ROWS_H

#include "formats/carla/carla_state.h"

struct carla_row {
	uint64_t off, end; /* in the input */
	struct carla_start first, last;
	uint64_t whole; /* bytes of frames in this row and in earlier ones */
	size_t frames;  /* 0: only the FrameStart of a broken frame */
	size_t kept;    /* how many of these are kept */
};

struct carla_rows {
	struct carla_row *at; /* owned; in order */
	size_t n, cap;
	uint64_t before; /* the number that ends the second last row */
	uint64_t least;  /* bytes of the shortest kept frame */
	bool more;       /* there are too many to list */
};

/* carla_rows.c - list all rows. */
enum slv_status carla_rows_list(
    struct slv_scan *, struct carla_rows *, struct slv_err *);

/* Return true if one frame leads to another by its number and by its time. */
static inline bool
carla_is_next(const struct carla_start *a, const struct carla_start *b)
{
	return b->id == a->id + 1 && carla_chained(a, b);
}

/* Return true if the recorder says that no frame follows. */
static inline bool
carla_is_last(const struct carla_start *f)
{
	return f->duration <= -1 && f->duration >= -1;
}

#endif
