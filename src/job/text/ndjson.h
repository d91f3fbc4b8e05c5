/* ndjson.h - records as lines of JSON. */
#ifndef SLV_JOB_NDJSON_H
#define SLV_JOB_NDJSON_H

#include "core/format/writer.h"
#include "core/layout/layout.h"

extern const struct slv_writing slv_ndjson;

/* ndjson_data.c - append a payload as a value of JSON; false: it is not laid out like
 * that, and nothing was appended. */
bool slv_ndjson_data(
    struct slv_buf *, const struct slv_layout *, struct slv_span payload);

#endif
