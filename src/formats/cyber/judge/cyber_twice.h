/* cyber_twice.h - is a range of the record in the file twice? */
#ifndef SLV_FORMATS_CYBER_TWICE_H
#define SLV_FORMATS_CYBER_TWICE_H

#include "formats/cyber/cyber_state.h"

/* cyber_lost.c - how many messages index or header count; false: neither can be
 * read. */
bool cyber_total(const struct cyber *, uint64_t *n);

/* A message that is there. */
struct cyber_place {
	uint64_t off, end, time;
	uint64_t content; /* bytes */
};

struct cyber_places {
	struct cyber_place *at; /* owned */
	size_t n, cap;
};

/* Append the messages of a run, up to the first that cannot be read. */
enum slv_status cyber_list_run(struct slv_scan *, const struct cyber_run *,
    struct cyber_places *, struct slv_err *);

/* Exclude the second copies. */
enum slv_status cyber_twice_mend(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* cyber_copies.c - exclude messages that are there as well in another copy, at one
 * distance, where so many are too many. */
enum slv_status cyber_copies_mend(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* cyber_unlisted.c - exclude what breaks off and the index does not list. */
enum slv_status cyber_unlisted_mend(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* Whether all of [from, to) was excluded by that: the record goes on at `to`. */
bool cyber_twice_skipped(const struct slv_scan *, uint64_t from, uint64_t to);

#endif
