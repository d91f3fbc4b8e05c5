/* spool.h - standard input as a source.
 *
 * A scan reads its input out of order and more than once: the end before the
 * beginning, names when everything is known, blocks again with other
 * assumptions.  A pipe cannot be read like this.  It is held in memory as far
 * as the caller allows, or copied into a temporary, which has no name and
 * disappears with the process.
 */
#ifndef SLV_IO_SPOOL_H
#define SLV_IO_SPOOL_H

#include <signal.h>
#include <sys/stat.h>

#include "io/read/source.h"

struct slv_spool {
	const char *dir;   /* directory of the temporary; borrowed */
	unsigned copies;   /* how often the input must fit there: 2 if the
			    * output goes to the same place */
	const char *other; /* advice if it does not fit, or NULL */
	size_t hold;       /* bytes that may be held in memory instead */
	const volatile sig_atomic_t *cancel; /* NULL: never */
};

/* Serve the descriptor, which stays open.  *st receives its status.  *spooled:
 * a temporary was needed.  A file at its beginning is read directly, and a pipe
 * that is held in memory has no descriptor.
 *
 * SLV_E_REFUSED: a terminal, a directory, or a device without an end
 * SLV_E_IO:      it does not fit, which is reported before the disk is full */
enum slv_status slv_spool(int fd, const char *name, const struct slv_spool *,
    struct slv_source **out, struct stat *st, bool *spooled, struct slv_err *);

#endif
