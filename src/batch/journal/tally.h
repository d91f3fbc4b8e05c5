/* tally.h - the part of the totals in a JSON report. */
#ifndef SLV_BATCH_TALLY_H
#define SLV_BATCH_TALLY_H

#include "base/status.h"
#include "salvor_many.h"

struct json_t;

/* The fates of a byte, in the order of slv_totals.bytes. */
extern const char *const slv_byte_names[SLV_BYTES];
#define SLV_BYTES_LOST 2

/* The same as slv_totals_add() for the report itself; false: it is not a
 * report, which may be NULL. */
bool slv_tally(
    struct json_t *report, struct slv_totals *, enum slv_state *state);

#endif
