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

/* Do blocks of the series carry blocks of another log?  *most is raised to the
 * largest span inside one. */
enum slv_status bddf_carries(const struct slv_scan *, uint32_t series,
    enum bddf_carries *, uint64_t *most, struct slv_err *);

/* Exclude the blocks that were in the payload of a lost one. */
enum slv_status bddf_inside(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

#endif
