/* sequence_parts.h - the parts of support/sequence. */
#ifndef SLV_SUPPORT_SEQUENCE_PARTS_H
#define SLV_SUPPORT_SEQUENCE_PARTS_H

#include "support/sequence/sequence.h"

#define SEQUENCE_JUMP                                                          \
	500000 /* us: more than streams shift against each other */

/* What a stream has in a run. */
struct stamps {
	size_t stream;
	uint64_t first, last;
};

struct run {
	uint64_t off, end;
	uint64_t n;           /* messages with a time */
	uint64_t first, last; /* times of the clock */
	size_t at, rows;      /* their stamps */
	bool declares;
	bool keep;
	uint64_t best; /* messages of the best chain that ends here */
	size_t from;   /* the run before it in that chain */
};

/* Where a stream is. */
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

struct order {
	struct slv_scan *scan;
	const struct slv_sequence *of;
	struct run *runs;
	size_t n_runs, cap_runs;
	struct stamps *rows;
	size_t n_rows, cap_rows;
	struct course *courses; /* by stream */
	uint64_t pace;          /* us per KiB */
	size_t run;             /* in the second pass */
	bool doubted; /* the last message was unexplained: other bytes may begin
		       * in it */
	bool open, repeats; /* in a run; its times repeat earlier ones */
	uint64_t clock;     /* time at the last message, for most streams */
	uint64_t before;    /* ... before it jumped */
	uint64_t top;       /* with one clock for all: what the open run
				 * repeats ends here */

	struct slv_message held; /* a message that shows another time, if it is
				  * `timed` */

	/* The last loss. */
	uint64_t gaps, gap_at, step;
	unsigned left; /* messages that may still show how long it was */
};

/* sequence_clock.c - what time it is at a message.  May it be wrong, and if time
 * went back, is the earlier message the wrong one?  Go on to it. */
bool sequence_is_jump(const struct order *, const struct slv_message *);
bool sequence_has_jumped(struct order *, const struct slv_message *);
bool sequence_is_earlier_wrong(
    const struct order *, const struct course *, const struct slv_message *);
void sequence_go_on(
    struct order *, struct course *, const struct slv_message *, bool instead);

/* sequence_runs.c - split what is kept into runs, choose the chain of runs that is
 * the log, and ask whether a message is in none of them. */
enum slv_status sequence_collect(
    struct order *, const struct slv_message *, struct slv_err *);
enum slv_status sequence_choose(struct order *, struct slv_err *);
bool sequence_is_left(struct order *, const struct slv_message *);

#endif
