/* ndjson.h - records as lines of JSON. */
#ifndef SLV_JOB_NDJSON_H
#define SLV_JOB_NDJSON_H

#include "core/format/writer.h"
#include "core/layout/layout.h"

extern const struct slv_writing slv_ndjson;

/* What confirms a record, by enum slv_sureness. */
extern const char *const slv_sure_names[];

/* Append what else a log says about a channel, as a list. */
void slv_ndjson_meta(struct slv_buf *, const struct slv_channel_info *);

/* ndjson_data.c - append a payload to the struct slv_buf of the walk. */
extern const struct slv_visitor slv_ndjson_visitor;

/* Append a payload as a value of JSON; false: the payload does not fit the layout,
 * and nothing was appended. */
bool slv_ndjson_data(
    struct slv_buf *, const struct slv_layout *, struct slv_span payload);

#endif
