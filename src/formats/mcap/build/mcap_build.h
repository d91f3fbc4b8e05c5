/* mcap_build.h - a plan while it is built. */
#ifndef SLV_FORMATS_MCAP_BUILD_H
#define SLV_FORMATS_MCAP_BUILD_H

#include "formats/mcap/build/mcap_make.h"
#include "formats/mcap/summary/mcap_summary.h"

struct mcap_build {
	struct slv_scan *scan;
	struct mcap *mcap;
	struct slv_plan *plan;
	struct mcap_style style;
	struct mcap_ranks ranks;
	struct slv_buf buf;          /* owned; records that are made */
	struct mcap_entries entries; /* owned; of the chunk at hand */
};

/* Append what the buffer holds to the plan, and empty it. */
enum slv_status mcap_flush(struct mcap_build *, struct slv_err *);

/* Count a message that the plan keeps. */
void mcap_plan_message(struct mcap *, const struct mcap_entry *);

/* mcap_rechunk.c - a chunk of the output: copied, with another head or index, or what
 * is left of its records in a new one. */
enum slv_status mcap_put_chunk(
    struct mcap_build *, size_t chunk, struct slv_err *);

#endif
