/* capability.h - what a format may have in addition to what every format has.
 *
 * Each struct is one capability.  A driver that has it implements all of its
 * functions, and struct slv_format points to it; NULL: the format does not have
 * it.  All functions get the scan and return like those of
 * core/format/format.h.
 */
#ifndef SLV_CORE_CAPABILITY_H
#define SLV_CORE_CAPABILITY_H

#include "base/status.h"

struct slv_doubts;
struct slv_facts;
struct slv_mends;
struct slv_notes;
struct slv_plan;
struct slv_scan;
struct slv_unit;

/* The log states at its end that it was finished. */
struct slv_ends {
	/* Is this log finished? */
	enum slv_status (*closed)(
	    const struct slv_scan *, bool *yes, struct slv_err *);

	bool trails; /* the last unit says that it is the last: if later ones
		      * are lost it is rebuilt */
};

typedef enum slv_status slv_mend_fn(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* The log stores data in two places, so that one can correct the other. */
struct slv_patches {
	/* Compare what was left out or is contradicted with what survives of it
	 * elsewhere in the log: which bytes have a better known value?
	 *
	 *   bold  every candidate: the log's digest will decide.  Otherwise
	 *         only if the bytes around show that nothing else is wrong. */
	slv_mend_fn *mend;

	/* After a correction: what it leads to.  It may be mend().  NULL:
	 * nothing. */
	slv_mend_fn *more;
};

/* The log may hold a digest of the bytes before it, which proves a repair. */
struct slv_digests {
	/* List the places where only the digest would notice one flipped
	 * bit. */
	enum slv_status (*doubt)(
	    struct slv_scan *, struct slv_doubts *, struct slv_err *);

	/* Set *yes if the unit would still be a unit with another byte at off;
	 * false positives are allowed. */
	enum slv_status (*sensible)(const struct slv_scan *, uint64_t unit,
	    uint64_t len, uint64_t off, uint8_t byte, bool *yes,
	    struct slv_err *);

	/* The sealed plan may differ from the log only in the order of things
	 * that have no order.  Find the order that the log's digest covers and
	 * put it into the plan, which must then be sealed again.
	 *
	 *   effort  multiplies the budget */
	enum slv_status (*reorder)(struct slv_scan *, struct slv_plan *,
	    unsigned effort, bool *found, struct slv_err *);
};

/* A unit may hold others, and have a checksum over everything recorded in
 * it. */
struct slv_packs {
	/* For a listing: show each unit that the PACK at off holds
	 * (slv_show_packed).  The PACK was accepted just before. */
	enum slv_status (*show)(struct slv_scan *, uint64_t off,
	    const struct slv_unit *, struct slv_err *);

	/* Do these n bytes begin with a unit that has such a checksum?
	 *
	 *   *len  the length that it states; 0: it is no such unit
	 *   *yes  it ends within the n bytes, and the checksum matches */
	enum slv_status (*confirm)(const struct slv_scan *,
	    const uint8_t *bytes, size_t n, uint64_t *len, bool *yes,
	    struct slv_err *);

	/* Is the checksum of such a unit over the bytes as they are stored?  Then
	 * confirm() decodes nothing.  NULL: no unit is like that. */
	bool (*as_stored)(const uint8_t *bytes, size_t n);
};

/* The log has a place for notes about a repair. */
struct slv_noting {
	/* From now on plan() writes the notes into the log, in place of earlier
	 * ones.  *done = false if there is no place for them; nothing has
	 * changed then. */
	enum slv_status (*annotate)(struct slv_scan *, const struct slv_notes *,
	    bool *done, struct slv_err *);

	/* Set the annotations of the facts, and no other facts. */
	enum slv_status (*annotations)(
	    struct slv_scan *, struct slv_facts *, struct slv_err *);
};

/* A repair tool of another project changes a log, and leaves the original next
 * to it, under the log's name with another ending. */
struct slv_leavings {
	const struct slv_leaving {
		const char *ending, *instead; /* NULL: no more rows */
	} * names;
	uint64_t remade; /* bytes at the start of the log that it rewrites, in
			  * addition to all that is derived */
};

#endif
