/* rosbag_repeat.h - ranges of the file that are followed by a copy. */
#ifndef SLV_FORMATS_ROSBAG_REPEAT_H
#define SLV_FORMATS_ROSBAG_REPEAT_H

#include "core/plan/patch.h"
#include "formats/rosbag/rosbag_state.h"

/* The state of the search. */
struct rosbag_undoing {
	struct slv_scan *scan;
	struct slv_mends *out;
	uint64_t budget; /* bytes that may still be searched */
	uint64_t done;   /* end of the last copy that was left out */
};

/* Where a copy may be: it begins at `from`, where a record begins, or later,
 * and ends at `to` or later. */
struct rosbag_seam {
	uint64_t from, to;
	bool sure; /* the bytes at `to` show a repetition */
};

/* rosbag_repeat.c - leave the copy out, if every byte of d in a row, with `to`
 * among them or next to them, equals the byte d before it. */
enum slv_status rosbag_undo(struct rosbag_undoing *, const struct rosbag_seam *,
    uint64_t d, bool *done, struct slv_err *);
/* The same, if the bytes at `to` are somewhere before it too. */
enum slv_status rosbag_undo_found(struct rosbag_undoing *,
    const struct rosbag_seam *, bool *done, struct slv_err *);
/* The record at `from` states where it ends, and the next one is at `to`: leave
 * out the surplus bytes, if they are a copy of those before them. */
enum slv_status rosbag_undo_inside(struct rosbag_undoing *,
    const struct rosbag_seam *, bool *done, struct slv_err *);

/* rosbag_seams.c - all copies that show. */
enum slv_status rosbag_repeats(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
