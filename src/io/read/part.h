/* part.h - a range of a source as a source of its own. */
#ifndef SLV_IO_PART_H
#define SLV_IO_PART_H

#include "io/read/source.h"

/* Serve [off, off + len) of the whole, which is borrowed while the part lives.
 * Unreadable bytes of the whole are unreadable in the part. */
enum slv_status slv_source_part(struct slv_source *whole, uint64_t off,
    uint64_t len, struct slv_source **out, struct slv_err *);

#endif
