/* bddf_clocks.h - is a block of this log, or of the log that its blocks carry? */
#ifndef SLV_FORMATS_BDDF_CLOCKS_H
#define SLV_FORMATS_BDDF_CLOCKS_H

#include "formats/bddf/read/bddf_carries.h"
#include "formats/bddf/recover/bddf_known.h"

/* The log that a block was recorded in, by its time. */
enum bddf_clock {
	BDDF_CLOCK_UNCLEAR,
	BDDF_CLOCK_OWN,    /* this log */
	BDDF_CLOCK_CARRIED /* the one that its blocks carry */
};

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

/* bddf_carries() of a series, asked once. */
enum slv_status bddf_clocks_ask(struct bddf_clocks *, uint32_t series,
    enum bddf_carries *, struct slv_err *);

/* Learn how the blocks of both logs are dated.  Does nothing the next time. */
enum slv_status bddf_clocks_learn(struct bddf_clocks *, struct slv_err *);

/* By which clock is the block of data at off?  `from` is where the blocks in question
 * begin. */
enum bddf_clock bddf_clock_of(const struct bddf_clocks *, uint64_t off,
    const struct slv_unit *, uint64_t from);

/* Return true if the index of its series has the block, here or elsewhere. */
bool bddf_is_indexed(
    const struct bddf_clocks *, uint64_t off, const struct slv_unit *);

/* The time of an entry. */
struct slv_moment bddf_entry_time(const struct bddf_entry *);

#endif
