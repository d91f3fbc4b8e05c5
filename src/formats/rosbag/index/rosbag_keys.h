/* rosbag_keys.h - messages by connection and time, as indexes name them: find
 * what one list has and another lacks.
 */
#ifndef SLV_FORMATS_ROSBAG_KEYS_H
#define SLV_FORMATS_ROSBAG_KEYS_H

#include "formats/rosbag/rosbag_state.h"

struct rosbag_key {
	uint32_t conn;
	struct rosbag_time time;
	uint64_t at;  /* offset of a message in the file, or where an index
		       * places it */
	uint32_t len; /* bytes of the record of a message */
};

struct rosbag_keys {
	struct rosbag_key *at; /* owned; in order once sorted */
	size_t n, cap;
};

/* Compare by connection and time. */
int rosbag_key_compare(const void *, const void *);

enum slv_status rosbag_keys_add(
    struct rosbag_keys *, struct rosbag_key, struct slv_err *);
void rosbag_keys_sort(struct rosbag_keys *);

/* Add the listed messages of a chunk. */
enum slv_status rosbag_keys_of_chunk(const struct rosbag *,
    const struct rosbag_chunk *, struct rosbag_keys *, struct slv_err *);

/* In a sorted list: the first element that is not less than the key, ->n: none; and
 * whether the list has the key. */
size_t rosbag_keys_from(const struct rosbag_keys *, const struct rosbag_key *);
bool rosbag_keys_have(const struct rosbag_keys *, const struct rosbag_key *);

/* Return true if the index at the end of the bag has a chunk with these
 * messages, which are sorted, or with too many of them for chance. */
bool rosbag_keys_are_chunk(const struct rosbag *, const struct rosbag_keys *);

/* End of the index records in a row that begin at off. */
enum slv_status rosbag_index_end(
    struct slv_scan *, uint64_t off, uint64_t *end, struct slv_err *);

/* Remove from x each key that is in y, once for each time it is there. */
void rosbag_keys_subtract(struct rosbag_keys *x, const struct rosbag_keys *y);

/* Add the messages that the index records in [off, end) name; their offsets are relative
 * to `data`.  *whole: there is nothing but index records. */
enum slv_status rosbag_keys_read(struct slv_scan *, uint64_t off, uint64_t end,
    uint64_t data, struct rosbag_keys *, bool *whole, struct slv_err *);

/* Add the messages that are named by indexes which differ from their chunks. */
enum slv_status rosbag_keys_named(
    struct slv_scan *, struct rosbag_keys *, struct slv_err *);

#endif
