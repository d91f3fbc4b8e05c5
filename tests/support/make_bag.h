/* make_bag.h - whole ROS 1 bags, for tests that count bytes.
 *
 * Written after the facts in docs/formats/rosbag.md; shares nothing with
 * src/formats/rosbag.  Bags of every other kind: tests/support/bag_writer.py.
 */
#ifndef TESTS_SUPPORT_MAKE_BAG_H
#define TESTS_SUPPORT_MAKE_BAG_H

#include "support/blob.h"

struct bag_recipe {
	uint32_t conns;   /* each has a topic of its own: /t0, /t1 ... */
	uint32_t chunks;  /* not compressed */
	uint32_t each;    /* messages of each connection in a chunk */
	uint32_t payload; /* bytes of a message */
};

struct made_bag {
	struct blob bytes;  /* owned */
	uint64_t index_pos; /* where the index begins */
	uint64_t infos;     /* where its first CHUNK_INFO is */
};

/* Message k of all is of connection k modulo `conns`, k seconds after
 * 1,700,000,000. */
void make_bag(struct made_bag *, const struct bag_recipe *);

/* Write a bag header over the one that is there. */
void bag_put_header(
    struct made_bag *, uint64_t index_pos, uint32_t conns, uint32_t chunks);

void made_bag_free(struct made_bag *);

#endif
