/* helper.h - a program of the user's that reads the log for us.
 *
 * A log in a store of objects has no name that open(2) knows.  The command of
 * --read-helper is started once, before the sandbox comes up, and serves ranges
 * of the log over a pipe (docs/read-helper.md):
 *
 *	it writes	SIZE\n			when it begins
 *	it reads	OFFSET LENGTH\n
 *	it writes	COUNT\n, then COUNT bytes, at most LENGTH
 *
 * Fewer bytes than LENGTH mean that those after them cannot be read.  What a
 * helper sends is checked like a log: it can give wrong bytes, but it cannot
 * make the reader wait for ever, or read past a buffer.
 */
#ifndef SLV_BATCH_HELPER_H
#define SLV_BATCH_HELPER_H

#include <signal.h>

#include "base/status.h"
#include "salvor.h"

#define SLV_HELPER_BLOCK ((size_t)64 << 10) /* bytes: the least request */
#define SLV_HELPER_AHEAD 64                 /* blocks: the largest one */
#define SLV_HELPER_CACHE 512                /* blocks that are kept */

struct slv_helper;

/* How to start one. */
struct slv_helper_command {
	const char *command; /* for /bin/sh, which appends the file */
	const char *file;    /* as the user named the log */
	unsigned
	    seconds; /* for a line, or 4 KiB, until it counts as hanging; 0:
	                      * the default */
	const volatile sig_atomic_t *cancel; /* NULL: cannot be cancelled */
};

/* Start it, and learn the size of the log.
 *
 * SLV_E_IO: it cannot be started, or does not say a size */
enum slv_status slv_helper_start(const struct slv_helper_command *,
    struct slv_helper **out, struct slv_err *);

/* The log as the library reads it; borrowed while the helper lives. */
const struct slv_input *slv_helper_input(const struct slv_helper *);

/* Why it can no longer be used, for people; NULL: it can. */
const char *slv_helper_trouble(const struct slv_helper *);

/* Let it end.  NULL is allowed. */
void slv_helper_close(struct slv_helper *);

#endif
