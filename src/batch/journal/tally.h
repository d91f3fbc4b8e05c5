/* tally.h - what a report in JSON adds to the totals. */
#ifndef SLV_BATCH_TALLY_H
#define SLV_BATCH_TALLY_H

#include "base/status.h"

struct json_t;

/* What can become of a byte, in the order of slv_totals.bytes. */
extern const char *const slv_byte_names[SLV_BYTES];
#define SLV_BYTES_LOST 2

/* As slv_totals_add() does of the report itself; false: it is none.  The report
 * may be NULL. */
bool slv_tally(
    struct json_t *report, struct slv_totals *, enum slv_state *state);

#endif
