/* slurp.h - read a small file as a whole. */
#ifndef SLV_IO_SLURP_H
#define SLV_IO_SLURP_H

#include <signal.h>
#include <sys/types.h>

#include "base/buf.h"
#include "io/read/source.h"

/* Append all bytes of a source.
 *
 * SLV_E_IO: some of them cannot be read */
enum slv_status slv_slurp(
    struct slv_source *, struct slv_buf *out, struct slv_err *);

/* How to read a named file. */
struct slv_slurp {
	const char *what; /* what it should be, for messages: "a list" */
	size_t most;      /* bytes; 0: no limit */
	const volatile sig_atomic_t *cancel; /* NULL: cannot be cancelled */
	bool plain; /* only a regular file, and no link to one: the user did not
	             * name it */
};

/* The same for a name, which may be that of a pipe; "-" is standard input.
 *
 * SLV_E_USAGE:     it has more than ->most bytes, or is not a file at all
 * SLV_E_CANCELLED: *->cancel is not 0 while it blocks */
enum slv_status slv_slurp_path(const char *path, const struct slv_slurp *,
    struct slv_buf *out, struct slv_err *);

/* Offset of the first data at or after `at` in an open file: reading a hole may
 * take years.  The file's end: there are none; `at`: it is not a regular
 * file. */
off_t slv_next_data(int fd, off_t at);

#endif
