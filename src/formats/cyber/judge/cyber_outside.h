/* cyber_outside.h - messages that are none of the chunk that they are found in. */
#ifndef SLV_FORMATS_CYBER_OUTSIDE_H
#define SLV_FORMATS_CYBER_OUTSIDE_H

#include "formats/cyber/judge/cyber_chain.h"

/* Whether the units from `mark` to c->end, in the body of a chunk, are none of it: they
 * lead to nothing before the section that follows the chunk where its body must end,
 * and their times are not all among those that its header states, nor among those of
 * the record, in another chunk of which they may have been. */
enum slv_status cyber_is_of_no_chunk(const struct slv_scan *, uint64_t mark,
    const struct cyber_chain *, bool *yes, struct slv_err *);

#endif
