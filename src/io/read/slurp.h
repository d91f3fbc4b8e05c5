/* slurp.h - read a small file as a whole. */
#ifndef SLV_IO_SLURP_H
#define SLV_IO_SLURP_H

#include <signal.h>

#include "base/buf.h"
#include "io/read/source.h"

/* Append all bytes of a source.
 *
 * SLV_E_IO: some of them cannot be read */
enum slv_status slv_slurp(
    struct slv_source *, struct slv_buf *out, struct slv_err *);

/* How what has a name is read. */
struct slv_slurp {
	const char *what; /* it should be, for messages: "a list" */
	size_t most;      /* bytes; 0: any */
	const volatile sig_atomic_t *cancel; /* NULL: nobody stops it */
};

/* The same of what has a name, be it a pipe; "-" is standard input.
 *
 * SLV_E_USAGE:     there are over ->most bytes, or it is no file at all
 * SLV_E_CANCELLED: *->cancel is not 0, and it keeps us waiting */
enum slv_status slv_slurp_path(const char *path, const struct slv_slurp *,
    struct slv_buf *out, struct slv_err *);

/* Where the data are that follow `at` in an open file: a hole may take years to
 * read.  The file's end: there are none; `at`: it is no regular file. */
off_t slv_next_data(int fd, off_t at);

#endif
