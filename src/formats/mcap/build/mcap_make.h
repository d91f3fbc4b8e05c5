/* mcap_make.h - records as they are written. */
#ifndef SLV_FORMATS_MCAP_MAKE_H
#define SLV_FORMATS_MCAP_MAKE_H

#include "formats/mcap/mcap_state.h"

/* Begin a record, add what it holds, and end it.  mcap_begin_record() returns what
 * mcap_end_record() takes. */
size_t mcap_begin_record(struct slv_buf *, unsigned op);
void mcap_end_record(struct slv_buf *, size_t begun);

void mcap_put_text(struct slv_buf *, struct slv_span);

/* The head of a chunk, up to the bytes that it stores. */
void mcap_make_head(
    struct slv_buf *, const struct mcap_claim *, enum slv_codec_kind);
void mcap_make_header(
    struct slv_buf *, struct slv_span profile, struct slv_span library);
void mcap_make_data_end(struct slv_buf *, uint32_t crc);

#endif
