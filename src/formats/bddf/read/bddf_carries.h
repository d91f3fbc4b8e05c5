/* bddf_carries.h - which series carry blocks of another log in their payloads. */
#ifndef SLV_FORMATS_BDDF_CARRIES_H
#define SLV_FORMATS_BDDF_CARRIES_H

#include "formats/bddf/bddf_state.h"

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

#endif
