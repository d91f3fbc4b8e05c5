/* tally.h - what a report in JSON adds to the totals. */
#ifndef SLV_BATCH_TALLY_H
#define SLV_BATCH_TALLY_H

#include "base/status.h"

/* What can become of a byte, in the order of slv_totals.bytes. */
extern const char *const slv_byte_names[SLV_BYTES];
#define SLV_BYTES_LOST 2

/* As slv_totals_add() does of the report itself; false: it is none, or memory
 * ran out. */
bool slv_tally(const char *report, struct slv_totals *, enum slv_state *state);

#endif
