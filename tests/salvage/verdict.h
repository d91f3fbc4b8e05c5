/* verdict.h - repair one damaged log and judge what came of it.
 *
 * What a repair should come to follows from the original and the damage.
 * The block is the unit: SeriesDescriptors and data.
 */
#ifndef TESTS_SALVAGE_VERDICT_H
#define TESTS_SALVAGE_VERDICT_H

#include "salvage/harm.h"
#include "support/repair.h"

/* What may be wrong; bits. */
enum {
	WRONG_INVENTED = 1 << 0, /* a block that was never recorded */
	WRONG_TORN = 1 << 1,     /* a payload it never had, and it shows */
	WRONG_MISSED = 1 << 2,   /* a keepable block is not in the output */
	WRONG_SOUND = 1 << 3,    /* a damaged log is called sound, or a fresh
	                          * digest hides that the old one disagrees */
	WRONG_SILENT = 1 << 4,   /* a block is gone and nothing says so */
	WRONG_PROOF = 1 << 5,    /* "proven", but not the original */
	WRONG_BROKEN = 1 << 6,   /* the repair failed, or its books are not
	                          * of the whole file, or its output is no
	                          * whole log */
	WRONG_LEFT = 1 << 7,     /* not the original again, though its row
	                          * of the table asks for that */
};
#define WRONGS 8

const char *wrong_name(int bit);

struct verdict {
	size_t keepable; /* blocks: untouched; or with the index intact, data
	                  * of which only what is before the payload was
	                  * hit.  Not those set aside. */
	size_t kept;     /* of these */
	size_t aside;    /* dropped suspects: untouched, but what follows them
	                  * is damaged and no index entry vouches for them */
	size_t invented; /* blocks in the output that were not in the
	                  * original, or not as often */
	size_t torn;     /* among its blocks: what is before the payload
	                  * is as it was, the payload is not */
	size_t unseen;   /* the same, or an altered DataDescriptor, where
	                  * neither structure nor what survives of index and
	                  * digest can tell */
	bool exact;      /* the output is the original */
	bool proven;     /* the repair says so */
	bool by_digest;  /* or that a digest confirms what the file holds */
	bool planned;    /* there is an output, without resealing */
	size_t first_missed;  /* where it stood in the original */
	size_t first_strange; /* in the output: invented, torn or unseen */
	enum slv_state state;
	double seconds;
	unsigned wrong; /* WRONG_ bits */
};

/* Judge a repair of the damaged log.
 *
 *   unasked  as it is by itself
 *   asked    where that has no output because only a digest complains: with
 *            REPAIR_RESEAL; else NULL */
void verdict_judge(struct verdict *, const struct original *,
    const struct harmed *, const struct repaired *unasked,
    const struct repaired *asked);

/* Repair it and judge that.
 *
 *   flips  try flipped bits against the digest: up to 1,000 times the cost of
 *          hashing the log, at least 2 GiB
 *   *out   is made a copy of the output of a repair that is not asked for */
void verdict_reach(struct verdict *, const struct original *,
    const struct harmed *, bool flips, struct blob *out);

#endif
