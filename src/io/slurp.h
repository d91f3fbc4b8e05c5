/* slurp.h - read a small file as a whole. */
#ifndef SLV_IO_SLURP_H
#define SLV_IO_SLURP_H

#include "base/buf.h"
#include "io/source.h"

/* Append all bytes of a source.
 *
 * SLV_E_IO: some of them cannot be read */
enum slv_status slv_slurp(
    struct slv_source *, struct slv_buf *out, struct slv_err *);

/* The same of what has a name, be it a pipe; "-" is standard input.
 *
 * SLV_E_USAGE: there are over `most` bytes */
enum slv_status slv_slurp_path(
    const char *path, size_t most, struct slv_buf *out, struct slv_err *err);

#endif
