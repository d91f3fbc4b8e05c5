/* bddf_twice.h - does the log have duplicate ranges? */
#ifndef SLV_FORMATS_BDDF_TWICE_H
#define SLV_FORMATS_BDDF_TWICE_H

#include "formats/bddf/recover/bddf_known.h"

/* Note block e of a series, which is kept and not yet among its entries. */
enum slv_status bddf_twice_note(struct slv_scan *, const struct bddf_series *,
    const struct bddf_entry *, struct slv_err *);

/* The log continues with the data block at off, after an excluded range: it may
 * belong to a second copy. */
enum slv_status bddf_twice_ask(
    struct slv_scan *, uint64_t off, struct slv_err *);

/* Exclude one copy of duplicate ranges. */
enum slv_status bddf_twice(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

#endif
