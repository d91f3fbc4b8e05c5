/* bddf_inside.h - which blocks of the log are in the payloads of others. */
#ifndef SLV_FORMATS_BDDF_INSIDE_H
#define SLV_FORMATS_BDDF_INSIDE_H

#include "formats/bddf/recover/bddf_clocks.h"

/* bddf_chained.c - exclude blocks of the other log that follow blocks of this one
 * with nothing lost between them. */
enum slv_status bddf_chained(
    struct bddf_clocks *, struct slv_mends *, struct slv_err *);

/* Exclude the blocks that were in the payload of a lost one. */
enum slv_status bddf_inside(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

#endif
