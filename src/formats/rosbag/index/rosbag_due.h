/* rosbag_due.h - what the index at the end names and the chunks do not hold. */
#ifndef SLV_FORMATS_ROSBAG_DUE_H
#define SLV_FORMATS_ROSBAG_DUE_H

#include "core/catalog/gaps.h"
#include "formats/rosbag/rosbag_state.h"

/* Messages that were in [off, end) of the input, or between these places. */
struct rosbag_due {
	uint64_t off, end;
	uint64_t messages;
	size_t first, n;                 /* counts, by connection */
	struct slv_moment before, after; /* times of the messages around them */
};

struct rosbag_dues {
	struct rosbag_due *at; /* owned; in order, apart from each other */
	size_t n, cap;
	struct slv_gap_count *counts; /* owned; of all of them */
	size_t n_counts, cap_counts;
	bool all; /* nothing else that was recorded is missing */
};

/* List them all, as far as it is certain.  Free them, also after a failure. */
enum slv_status rosbag_dues_find(
    const struct slv_scan *, struct rosbag_dues *, struct slv_err *);
void rosbag_dues_free(struct rosbag_dues *);

/* Return true if exactly the messages that the index at the end names are
 * there, and it names as many chunks as the bag header. */
enum slv_status rosbag_is_all_there(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* Return true if bytes of [off, end) are lost. */
bool rosbag_is_hit(const struct slv_scan *, uint64_t off, uint64_t end);

/* rosbag_counts.c - return true if the index names as many chunks as the bag
 * header, and can be compared with what is kept. */
bool rosbag_names_all(const struct rosbag *);

/* How many messages more than such an index names are kept. */
uint64_t rosbag_surplus(const struct rosbag *);

/* Return true if nothing was left out, and if each connection has as many
 * messages as the index names: some may be in another chunk. */
enum slv_status rosbag_are_all_kept(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* Add counts with the same connection, some of which are negative; *n is then
 * the number of connections.  false: a sum is negative. */
bool rosbag_counts_add_up(struct slv_gap_count *, size_t *n, uint64_t *sum);

/* Subtract what is kept of a chunk from counts, which have room. */
size_t rosbag_counts_take(
    const struct rosbag *, const struct rosbag_chunk *, struct slv_gap_count *);

#endif
