/* seek.h - find bytes that a log has in a known form, such as its magic. */
#ifndef SLV_SUPPORT_SEEK_H
#define SLV_SUPPORT_SEEK_H

#include "core/scan/scan.h"

/* Return true if the n bytes of a mark are at off, before the zeros that end the
 * file. */
enum slv_status slv_seek_is(const struct slv_scan *, uint64_t off,
    const void *mark, size_t n, bool *yes, struct slv_err *);

/* The first place in [from, to) where the mark begins; it may end after `to`.  to:
 * there is none. */
enum slv_status slv_seek(const struct slv_scan *, uint64_t from, uint64_t to,
    const void *mark, size_t n, uint64_t *out, struct slv_err *);

#endif
