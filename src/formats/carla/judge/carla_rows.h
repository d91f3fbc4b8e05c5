/* carla_rows.h - frames in a row: those that are kept, and those in lost bytes.
 *
 * A row is as sure as its numbers: each frame leads to the next.  What lies between
 * rows is damaged, and two rows may be of two logs, as packets of a program's own
 * may carry pieces of another one.  Where frames of the row before are there once
 * more, those that follow them are a row of their own.
 */
#ifndef SLV_FORMATS_CARLA_ROWS_H
#define SLV_FORMATS_CARLA_ROWS_H

#include "formats/carla/carla_state.h"

struct carla_row {
	uint64_t off, end; /* in the input */
	struct carla_start first, last;
	uint64_t whole; /* bytes of frames in this row and in those before */
	size_t frames;  /* 0: the FrameStart of a broken one */
	size_t kept;    /* of them */
};

struct carla_rows {
	struct carla_row *at; /* owned; in order */
	size_t n, cap;
	uint64_t before; /* the number that ends the row before the last one */
	uint64_t least;  /* bytes of the shortest frame that is kept */
	bool more;       /* there are too many to list them all */
};

/* carla_rows.c - list all rows. */
enum slv_status carla_rows_list(
    struct slv_scan *, struct carla_rows *, struct slv_err *);

/* Whether one frame leads to another by its number and by its time. */
static inline bool
carla_is_next(const struct carla_start *a, const struct carla_start *b)
{
	return b->id == a->id + 1 && carla_chained(a, b);
}

/* Whether the recorder says that no frame follows. */
static inline bool
carla_is_last(const struct carla_start *f)
{
	return f->duration <= -1 && f->duration >= -1;
}

#endif
