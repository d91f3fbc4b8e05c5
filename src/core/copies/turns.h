/* turns.h - differences between copies, decided the other way in turn.
 *
 * A caller that can judge the joined log is asked about every combination of
 * the most doubtful choices, within a budget.
 */
#ifndef SLV_CORE_TURNS_H
#define SLV_CORE_TURNS_H

#include <time.h>

#include "core/copies/choose.h"

#define SLV_TURNED_MAX 10 /* choices of which every combination may be tried */

/* A budget of one search or of many. */
struct slv_allowance {
	uint64_t all;  /* bytes that may be read ... */
	uint64_t left; /* ... and how many are left */
	struct timespec until;
};

struct slv_turns {
	struct slv_joint *joint;               /* borrowed */
	struct slv_choice *at[SLV_TURNED_MAX]; /* the most doubtful first */
	size_t n;
	struct slv_allowance *allowance; /* borrowed */
	struct slv_meter *meter;         /* borrowed; NULL: none */
	uint64_t each;                   /* bytes that one question reads */

	/* Return true if the joined log is right as it is now. */
	enum slv_status (*right)(void *ctx, bool *yes, struct slv_err *);
	void *ctx;
};

/* Allow `effort` times the budget of a log of that size, and begin to spend
 * it. */
struct slv_allowance slv_allowance_of(
    uint64_t size, unsigned effort, struct slv_meter *);

/* Add a choice to those that are tried, if it is doubtful enough. */
void slv_turns_offer(struct slv_turns *, struct slv_choice *);

/* Turn each one, then every two, and so on, until the joined log is right; it
 * then stays so.  The caller knows that it is not right now. */
enum slv_status slv_turns_try(
    struct slv_turns *, bool *found, struct slv_err *);

#endif
