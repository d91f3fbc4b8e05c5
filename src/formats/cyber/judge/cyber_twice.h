/* cyber_twice.h - does the record have duplicate ranges? */
#ifndef SLV_FORMATS_CYBER_TWICE_H
#define SLV_FORMATS_CYBER_TWICE_H

#include "formats/cyber/cyber_state.h"

/* cyber_lost.c - how many messages index or header count; false: both are
 * unreadable. */
bool cyber_total(const struct cyber *, uint64_t *n);

/* A message that was found in the record. */
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

/* cyber_copies.c - exclude messages that another copy also has, all at one
 * distance, if that many are surplus. */
enum slv_status cyber_copies_mend(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* cyber_unlisted.c - exclude units that the index does not list and that break off. */
enum slv_status cyber_unlisted_mend(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* Return true if these functions have excluded all of [from, to): the record continues
 * at `to`. */
bool cyber_twice_skipped(const struct slv_scan *, uint64_t from, uint64_t to);

#endif
