/* spool.h - bytes that come one after the other as a source: standard input,
 * and what is decompressed.
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

/* Bytes on their way. */
struct slv_spooling {
	const struct slv_spool *how; /* borrowed */
	const char *name;            /* for messages; borrowed */
	int to;                      /* -1 while they are held in memory */
	struct slv_buf held;
	uint64_t n;       /* bytes so far */
	uint64_t look_at; /* next check of the free space */
	bool sized;       /* the total size is known */
};

/* Begin without any bytes, and put some.  After a failure it is to be dropped.
 *
 * SLV_E_IO: they do not fit, which is reported before the disk is full */
void slv_spooling_begin(
    struct slv_spooling *, const struct slv_spool *, const char *name);
enum slv_status slv_spooling_put(
    struct slv_spooling *, const uint8_t *, size_t n, struct slv_err *);

/* Serve what was put; also after a failure it is over.  *spooled: a temporary was
 * needed. */
enum slv_status slv_spooling_end(struct slv_spooling *, struct slv_source **out,
    bool *spooled, struct slv_err *);
void slv_spooling_drop(struct slv_spooling *);

/* Serve the descriptor, which stays open.  *st receives its status.  *spooled:
 * a temporary was needed.  A file at its beginning is read directly, and a pipe
 * that is held in memory has no descriptor.
 *
 * SLV_E_REFUSED: a terminal, a directory, or a device without an end
 * SLV_E_IO:      it does not fit, which is reported before the disk is full */
enum slv_status slv_spool(int fd, const char *name, const struct slv_spool *,
    struct slv_source **out, struct stat *st, bool *spooled, struct slv_err *);

#endif
