/* bddf_twice.h - does a stretch of the log stand in the file twice? */
#ifndef SLV_FORMATS_BDDF_TWICE_H
#define SLV_FORMATS_BDDF_TWICE_H

#include "formats/bddf/bddf_state.h"

/* The block e of a series is kept, and not among its entries yet. */
enum slv_status bddf_twice_note(struct slv_scan *, const struct bddf_series *,
    const struct bddf_entry *, struct slv_err *);

/* The log goes on with the block of data at off, after what is set aside: it may
 * be of a second copy. */
enum slv_status bddf_twice_ask(
    struct slv_scan *, uint64_t off, struct slv_err *);

/* Set aside the second copy of what stands in the file twice. */
enum slv_status bddf_twice(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
