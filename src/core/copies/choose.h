/* choose.h - where two copies have different bytes, whose are right?
 *
 * What cannot be read is not; what stands in a whole unit is rather than what
 * does not; a run of zeros (or ones) is a hole rather than data.  Where all
 * this leaves a doubt the log's own digest is asked, with the other bytes in
 * turn, or the checksum of the unit; where neither tells, the doubt stays on
 * record.
 */
#ifndef SLV_CORE_CHOOSE_H
#define SLV_CORE_CHOOSE_H

#include "core/copies/align.h"
#include "core/copies/joined.h"

/* A difference between two copies. */
struct slv_choice {
	size_t piece;             /* of the joint, with the bytes chosen */
	struct slv_source *other; /* borrowed; whose were not */
	uint64_t off;             /* where they stand in it */
	enum slv_choice_doubt {
		SLV_DOUBT_NONE,
		SLV_DOUBT_LITTLE, /* the structure speaks for it */
		SLV_DOUBT_SOME,   /* it was no run of zeros */
		SLV_DOUBT_FULL,   /* it was the first */
	} doubt;
	bool disputed; /* two whole units say different things */
	bool torn;     /* no unit there is whole, and nothing tells */
};

struct slv_choices {
	struct slv_choice *at; /* owned; in order */
	size_t n, cap;
};

/* Put the copies together as they are aligned. */
enum slv_status slv_choose(struct slv_choices *, struct slv_joint *,
    const struct slv_alignment *, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *);

struct slv_trial {
	struct slv_joint *joint;
	const struct slv_seal *seal; /* of the joint, as it is; borrowed */
	unsigned effort;             /* times the budget; 0: do not try */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */
	bool proven;             /* the joint now matches the seal */
};

/* Try the doubtful choices against the digest. */
enum slv_status slv_choices_try(
    struct slv_choices *, struct slv_trial *, struct slv_err *);

/* Try them against the checksums that units have of their own: in one that
 * such a checksum confirms nothing is in doubt.
 *
 *   copy  the joint, scanned */
enum slv_status slv_choices_confirm(struct slv_choices *,
    const struct slv_trial *, struct slv_copy *copy, struct slv_err *);

/* Put on record what is still in doubt. */
enum slv_status slv_choices_note(
    const struct slv_choices *, struct slv_joint *, struct slv_err *);

void slv_choices_free(struct slv_choices *);

#endif
