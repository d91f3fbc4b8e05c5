/* rosbag_vote.h - a message's header and the index of its chunk state two
 * times: which is right?
 */
#ifndef SLV_FORMATS_ROSBAG_VOTE_H
#define SLV_FORMATS_ROSBAG_VOTE_H

#include "formats/rosbag/read/rosbag_record.h"

/* One record of a chunk, in the order of the file. */
struct rosbag_two {
	struct rosbag_time header, index;
	bool is_message;
	bool named; /* the index names it: `index` is set */
};

/* First and last time of a chunk by its CHUNK_INFO. */
struct rosbag_edges {
	bool known;
	struct rosbag_time from, to;
};

enum rosbag_winner {
	ROSBAG_HEADER_WINS,
	ROSBAG_INDEX_WINS,
	ROSBAG_UNDECIDED, /* both are plausible, or neither is */
};

/* Decide which of the two times of records[i] is right.  Evidence is the
 * CHUNK_INFO, then the nearest records before and after it with an undisputed
 * time. */
enum rosbag_winner rosbag_vote(const struct rosbag_two *records, size_t n,
    size_t i, const struct rosbag_edges *);

#endif
