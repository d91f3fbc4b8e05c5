/* by_time.h - records in the order of their times. */
#ifndef SLV_JOB_BY_TIME_H
#define SLV_JOB_BY_TIME_H

#include "job/read/cursor.h"
#include "job/read/filter.h"

/* A record that is wanted. */
struct slv_timed {
	int64_t ns; /* SLV_NO_TIME: none */
	struct slv_spot spot;
	uint64_t sequence;
	unsigned flags; /* SLV_RECORD_AFTER_GAP */
};

struct slv_by_time {
	struct slv_timed *at; /* owned; sorted */
	size_t n, cap;
	size_t next;
};

/* List the records that a filter takes, and sort them.  The cursor has begun; from
 * now on it keeps chunks. */
enum slv_status slv_by_time_list(
    struct slv_by_time *, struct slv_cursor *, const struct slv_filter *);

/* Move the cursor to the next record by time; *any = false: there is none.  Stops if the
 * job is cancelled. */
enum slv_status slv_by_time_next(
    struct slv_by_time *, struct slv_cursor *, bool *any);

/* reader.c - the sorted records of a reader, after its filter is settled. */
const struct slv_by_time *slv_reader_sorted(const struct slv_reader *);

void slv_by_time_free(struct slv_by_time *);

#endif
