/* bddf_inside.h - which series carry blocks, and which blocks are carried. */
#ifndef SLV_FORMATS_BDDF_INSIDE_H
#define SLV_FORMATS_BDDF_INSIDE_H

#include "formats/bddf/recover/bddf_known.h"

#define BDDF_CARRY_MIN 64 /* bytes of a payload that carries blocks */

/* What the kept blocks of a series show so far. */
enum bddf_carries {
	BDDF_MAY_CARRY, /* none of them is large enough */
	BDDF_CARRIES_NONE,
	BDDF_CARRIES
};

/* A stretch of time. */
struct bddf_times {
	struct slv_moment from, to;
};

/* What blocks that carry blocks are like. */
struct bddf_carriage {
	uint64_t most;             /* the largest spans so many bytes */
	struct bddf_times own;     /* when they were recorded, */
	struct bddf_times carried; /* and the blocks in them */
};

/* Do blocks of the series carry blocks of another log?  Adds what those are
 * like. */
enum slv_status bddf_carries(const struct slv_scan *, uint32_t series,
    enum bddf_carries *, struct bddf_carriage *, struct slv_err *);

/* The same of blocks that were lost, but for their heads: they carry blocks if those
 * are older than this log can be there.  *any: some do. */
enum slv_status bddf_carries_lost(const struct slv_scan *,
    struct bddf_carriage *, bool *any, struct slv_err *);

/* Which log is a block of, this one or the one that its blocks carry? */
enum bddf_whose { BDDF_UNCLEAR, BDDF_OWN, BDDF_ALIEN };

#define BDDF_CARRY_SERIES 1024 /* that are searched */

/* What tells. */
struct bddf_clocks {
	const struct slv_scan *s;
	const struct bddf_knowledge *k;
	struct bddf_carriage like;
	bool learnt, carries; /* some series of the log carries blocks */
	uint64_t beginning;   /* up to here nothing was lost */
	uint8_t known[BDDF_CARRY_SERIES]; /* enum bddf_carries + 1; 0: not asked
	                                   * yet */
};

/* bddf_whose.c - bddf_carries() of a series, asked once. */
enum slv_status bddf_clocks_ask(struct bddf_clocks *, uint32_t series,
    enum bddf_carries *, struct slv_err *);

/* The same file - learn it once. */
enum slv_status bddf_clocks_learn(struct bddf_clocks *, struct slv_err *);

/* Which log has the block of data at off?  `from` is where the blocks in question
 * begin. */
enum bddf_whose bddf_whose(const struct bddf_clocks *, uint64_t off,
    const struct slv_unit *, uint64_t from);

/* Return true if the index of its series has the block, here or elsewhere. */
bool bddf_is_indexed(
    const struct bddf_clocks *, uint64_t off, const struct slv_unit *);

/* The time of an entry. */
struct slv_moment bddf_entry_time(const struct bddf_entry *);

/* bddf_chained.c - exclude blocks of the other log that follow blocks of this one
 * with nothing lost between them. */
enum slv_status bddf_chained(
    struct bddf_clocks *, struct slv_mends *, struct slv_err *);

/* Exclude the blocks that were in the payload of a lost one. */
enum slv_status bddf_inside(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

#endif
