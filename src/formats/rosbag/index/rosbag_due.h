/* rosbag_due.h - what the index at the end names, and the chunks do not hold.
 */
#ifndef SLV_FORMATS_ROSBAG_DUE_H
#define SLV_FORMATS_ROSBAG_DUE_H

#include "core/catalog/gaps.h"
#include "formats/rosbag/rosbag_state.h"

/* Messages that were in [off, end) of the input, or between these places. */
struct rosbag_due {
	uint64_t off, end;
	uint64_t messages;
	size_t first, n;                 /* counts, by connection */
	struct slv_moment before, after; /* of those around them */
};

struct rosbag_dues {
	struct rosbag_due *at; /* owned; in order, apart from each other */
	size_t n, cap;
	struct slv_gap_count *counts; /* owned; of all of them */
	size_t n_counts, cap_counts;
	bool all; /* nothing else is missing of what was recorded */
};

/* All there are, as far as it is certain.  Free them, also after a failure. */
enum slv_status rosbag_dues_find(
    const struct slv_scan *, struct rosbag_dues *, struct slv_err *);
void rosbag_dues_free(struct rosbag_dues *);

/* Whether those messages are there that the index at the end names, and no
 * others, and it names as many chunks as the bag header. */
enum slv_status rosbag_is_all_there(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* Whether bytes of [off, end) are lost. */
bool rosbag_is_hit(const struct slv_scan *, uint64_t off, uint64_t end);

/* rosbag_counts.c - whether the index names as many chunks as the bag header, and
 * what is kept can be held against it. */
bool rosbag_names_all(const struct rosbag *);

/* Whether nothing was left out, and of each connection as many messages are there
 * as the index names: some may be in another chunk than it has them. */
enum slv_status rosbag_are_all_kept(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* Add up counts of one connection, some of which are negative numbers; *n is
 * then how many connections are left.  false: a sum is negative. */
bool rosbag_counts_add_up(struct slv_gap_count *, size_t *n, uint64_t *sum);

/* Take off, from counts that have room, what is kept of a chunk. */
size_t rosbag_counts_take(
    const struct rosbag *, const struct rosbag_chunk *, struct slv_gap_count *);

#endif
