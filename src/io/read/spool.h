/* spool.h - standard input as a source.
 *
 * A scan reads its input out of order and more than once: the end before the
 * beginning, names when all is known, blocks again on another footing.  What
 * cannot be read so, a pipe, is held in memory as far as the caller allows, or
 * copied into a temporary, which has no name and is gone when the program is.
 */
#ifndef SLV_IO_SPOOL_H
#define SLV_IO_SPOOL_H

#include <signal.h>
#include <sys/stat.h>

#include "io/read/source.h"

struct slv_spool {
	const char *dir;   /* where the temporary goes; borrowed */
	unsigned copies;   /* how often the input must fit there: 2 where the
	                    * output goes to the same place */
	const char *other; /* what may be done where it does not fit, or NULL */
	size_t hold;       /* bytes that may be held in memory instead */
	const volatile sig_atomic_t *cancel; /* NULL: never */
};

/* Serve the descriptor, which stays open.  *st receives what it is; *spooled,
 * whether a temporary was needed: a file that stands at its beginning is read
 * as it is, and what is held has no descriptor.
 *
 * SLV_E_REFUSED: a terminal, a directory, or a device without an end
 * SLV_E_IO:      it does not fit, which is said before the disk is full */
enum slv_status slv_spool(int fd, const char *name, const struct slv_spool *,
    struct slv_source **out, struct stat *st, bool *spooled, struct slv_err *);

#endif
