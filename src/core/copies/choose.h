/* choose.h - which bytes to take where two copies differ.
 *
 * Readable bytes win over unreadable ones, then bytes of a whole unit over
 * others, then data over a run of zeros (or ones), which is a hole.  If a doubt
 * remains, the log's own digest decides by trying the other bytes in turn, or
 * the checksum of the unit does.  If neither decides, the doubt stays on
 * record.
 */
#ifndef SLV_CORE_CHOOSE_H
#define SLV_CORE_CHOOSE_H

#include "core/copies/align.h"
#include "core/copies/joined.h"

/* A difference between two copies. */
struct slv_choice {
	size_t piece;             /* of the joined log, with the chosen bytes */
	struct slv_source *other; /* borrowed; the copy that was not chosen */
	uint64_t off;             /* offset of its bytes */
	enum slv_choice_doubt {
		SLV_DOUBT_NONE,
		SLV_DOUBT_LITTLE, /* the structure supports the choice */
		SLV_DOUBT_SOME,   /* the other bytes were a run of zeros */
		SLV_DOUBT_FULL,   /* only the order of the copies decided */
	} doubt;
	bool disputed; /* two whole units with different contents */
	bool torn;     /* no unit there is whole, and nothing decides */
};

struct slv_choices {
	struct slv_choice *at; /* owned; in order */
	size_t n, cap;
};

/* Join the copies as they are aligned. */
enum slv_status slv_choose(struct slv_choices *, struct slv_joint *,
    const struct slv_alignment *, const struct slv_copy *a,
    const struct slv_copy *b, struct slv_err *);

struct slv_trial {
	struct slv_joint *joint;
	const struct slv_seal *seal; /* of the joined log, unchanged;
				      * borrowed */
	unsigned effort;             /* multiplies the budget; 0: do not try */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */
	bool proven;             /* the joined log now matches the seal */
};

/* Try the doubtful choices against the digest. */
enum slv_status slv_choices_try(
    struct slv_choices *, struct slv_trial *, struct slv_err *);

/* Try the doubtful choices against the checksums of units.  In a unit that its
 * checksum confirms, nothing is in doubt.
 *
 *   copy  the joined log, scanned */
enum slv_status slv_choices_confirm(struct slv_choices *,
    const struct slv_trial *, struct slv_copy *copy, struct slv_err *);

/* Record what is still in doubt. */
enum slv_status slv_choices_note(
    const struct slv_choices *, struct slv_joint *, struct slv_err *);

void slv_choices_free(struct slv_choices *);

#endif
