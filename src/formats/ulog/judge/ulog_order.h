/* ulog_order.h - what is kept of a damaged log, in the order of the file. */
#ifndef SLV_FORMATS_ULOG_ORDER_H
#define SLV_FORMATS_ULOG_ORDER_H

#include "formats/ulog/ulog_state.h"

#define NONE SIZE_MAX
#define JUMP 500000 /* us: more than topics shift against each other */

/* What a subscription has in a run. */
struct stamps {
	size_t sub;
	uint64_t first, last;
};

struct run {
	uint64_t off, end;
	uint64_t n;      /* messages of data */
	size_t at, rows; /* their stamps */
	bool declares;   /* it has formats or subscriptions */
	bool keep;
	uint64_t best; /* messages of the best chain that ends here */
	size_t from;   /* the run before it in that chain */
};

/* Where a subscription is. */
struct course {
	uint64_t n, off, len;   /* messages so far; the last one */
	uint64_t prev, last;    /* times */
	uint64_t prev_lag, lag; /* times minus the clock */
	uint64_t off_by; /* the last message differed by so much from what was
			  * expected */
	size_t run, row;
	uint64_t gap; /* losses before it */
	uint64_t top; /* its last time in the run `top_run` */
	size_t top_run;
};

/* A kept message; of data with a known time, with its subscription. */
struct kept {
	uint64_t off, len, time;
	struct ulog_message msg;
	size_t sub; /* NONE: not data, or without a time */
};

struct order {
	struct slv_scan *scan;
	struct ulog *log;
	struct run *runs;
	size_t n_runs, cap_runs;
	struct stamps *rows;
	size_t n_rows, cap_rows;
	struct course *courses; /* by subscription */
	size_t run;             /* in the second pass */
	bool open, behind;      /* in a run; its times repeat earlier ones */
	uint64_t clock;         /* time at the last message, for most topics */

	struct kept held; /* a message that shows another time */

	/* The last loss. */
	uint64_t gaps, gap_at, step;
	unsigned left; /* messages that may still show how long it was */
};

/* ulog_clock.c - what time it is at a message.  May it be wrong, and if time went
 * back, is the earlier message the wrong one?  Go on to it. */
bool ulog_is_jump(const struct order *, const struct kept *);
bool ulog_has_jumped(struct order *, const struct kept *);
bool ulog_is_earlier_wrong(
    const struct order *, const struct course *, const struct kept *);
void ulog_go_on(
    struct order *, struct course *, const struct kept *, bool instead);

/* ulog_runs.c - split what is kept into runs, choose the chain of runs that is the
 * log, and ask whether a message is in none of them. */
enum slv_status ulog_collect(
    struct order *, const struct kept *, struct slv_err *);
enum slv_status ulog_choose(struct order *, struct slv_err *);
bool ulog_is_left(struct order *, const struct kept *);

#endif
