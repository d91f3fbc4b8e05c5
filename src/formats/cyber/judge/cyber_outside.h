/* cyber_outside.h - messages that are none of the chunk that they are found in. */
#ifndef SLV_FORMATS_CYBER_OUTSIDE_H
#define SLV_FORMATS_CYBER_OUTSIDE_H

#include "formats/cyber/judge/cyber_chain.h"

/* The chunk that is being read, if all that it states of its messages can be read;
 * or NULL. */
const struct cyber_item *cyber_stated_chunk(const struct cyber *);

/* Whether some times are not among those that the chunk states. */
bool cyber_is_outside(const struct cyber_item *, const struct cyber_chain *);

/* Whether the units from `mark` to c->end, in the body of a chunk, are none of it: they
 * lead to nothing before the section that follows the chunk where its body must end,
 * and their times are not all among those that its header states. */
enum slv_status cyber_is_of_no_chunk(const struct slv_scan *, uint64_t mark,
    const struct cyber_chain *, bool *yes, struct slv_err *);

#endif
