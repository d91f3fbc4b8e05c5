/* bddf_ident.h - the meaning of the identifier of a series, which does not depend on the
 * order of its keys: writers keep no order. */
#ifndef SLV_FORMATS_BDDF_IDENT_H
#define SLV_FORMATS_BDDF_IDENT_H

#include "formats/bddf/bddf_state.h"

/* The hash of an identifier, and a digest of its meaning.  *known = false: it is too
 * large. */
enum slv_status bddf_ident(const struct slv_scan *, struct bddf_range ident,
    uint64_t *hash, uint8_t digest[BDDF_DIGEST_SIZE], bool *known,
    struct slv_err *);

/* The name of the series: the values of its spec in the order of their keys or, if there
 * are none, its type. */
enum slv_status bddf_ident_name(const struct slv_scan *,
    struct bddf_range ident, struct slv_buf *name, struct slv_err *);

/* The hash of an identifier in memory.  *known = false: it does not parse. */
enum slv_status bddf_ident_memory(const uint8_t *bytes, size_t n,
    uint64_t *hash, bool *known, struct slv_err *);

#endif
