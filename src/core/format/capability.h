/* capability.h - what a format may have besides what every one has.
 *
 * Each struct is one capability: a driver that has it has all of its functions, and
 * struct slv_format points to it; NULL: the format has it not.  All functions get
 * the scan and return as those of core/format/format.h do.
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

/* The log says at its end that it was finished. */
struct slv_ends {
	/* Does it? */
	enum slv_status (*closed)(
	    const struct slv_scan *, bool *yes, struct slv_err *);

	bool trails; /* the last unit says that it is the last: where others
	              * behind it are lost it is written anew */
};

/* The log says things twice, so that what is damaged in one place may be put right
 * by another. */
struct slv_patches {
	/* What was left out or is contradicted, held against what survives of
	 * it elsewhere in the log: which bytes of it are known better?
	 *
	 *   bold  all that might be: the log's digest will tell.  Otherwise
	 *         only where the bytes around show that no more than those
	 *         was hit. */
	enum slv_status (*mend)(
	    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

	bool again; /* what mend() changes may show it more to mend */
};

/* The log may hold a digest of the bytes before it, which proves a repair. */
struct slv_digests {
	/* Where only the digest would notice one flipped bit. */
	enum slv_status (*doubt)(
	    struct slv_scan *, struct slv_doubts *, struct slv_err *);

	/* Whether the unit would be one if the byte at off were another; may
	 * say yes too often. */
	enum slv_status (*sensible)(const struct slv_scan *, uint64_t unit,
	    uint64_t len, uint64_t off, uint8_t byte, bool *yes,
	    struct slv_err *);

	/* The sealed plan may differ from the log only in the order of things
	 * that have none: find the one that the log's digest covers and put
	 * it into the plan, which must then be sealed again.
	 *
	 *   effort  times a budget */
	enum slv_status (*reorder)(struct slv_scan *, struct slv_plan *,
	    unsigned effort, bool *found, struct slv_err *);
};

/* A unit may hold others, and have a checksum over all that was recorded in it. */
struct slv_packs {
	/* Somebody lists the log: hand out each of the units that the PACK at
	 * off holds, which was accepted just now (slv_show_packed). */
	enum slv_status (*show)(struct slv_scan *, uint64_t off,
	    const struct slv_unit *, struct slv_err *);

	/* What begins with these n bytes: a unit that has such a checksum?
	 *
	 *   *len  how long it says it is; 0: it is no such unit
	 *   *yes  it ends within the n bytes, and the checksum matches */
	enum slv_status (*confirm)(const struct slv_scan *,
	    const uint8_t *bytes, size_t n, uint64_t *len, bool *yes,
	    struct slv_err *);
};

/* The log has a place for notes about what a repair has done. */
struct slv_noting {
	/* From now on plan() shall write the notes into the log, in the place
	 * of earlier ones.  *done = false where there is no place for them;
	 * nothing has changed then. */
	enum slv_status (*annotate)(struct slv_scan *, const struct slv_notes *,
	    bool *done, struct slv_err *);

	/* Set the annotations of the facts, and nothing else of them. */
	enum slv_status (*annotations)(
	    struct slv_scan *, struct slv_facts *, struct slv_err *);
};

/* A repair tool of others changes a log, and leaves the file as it was beside it,
 * under the log's name with another ending. */
struct slv_leavings {
	const struct slv_leaving {
		const char *ending, *instead; /* NULL: no more rows */
	} * names;
	uint64_t remade; /* bytes at the start of the log that it writes anew,
	                  * besides all that is derived */
};

#endif
