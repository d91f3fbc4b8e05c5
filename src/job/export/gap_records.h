/* gap_records.h - what was lost, as records of a channel of its own. */
#ifndef SLV_JOB_GAP_RECORDS_H
#define SLV_JOB_GAP_RECORDS_H

#include "base/buf.h"
#include "core/catalog/gaps.h"

/* "/salvor/gaps": JSON, with a schema. */
extern const struct slv_channel_info slv_gap_channel;

/* Replace the text by that of a gap.  Returned is its time, in ns since 1970, or
 * SLV_NO_STAMP. */
int64_t slv_gap_record(const struct slv_gap *, struct slv_buf *text);

#endif
