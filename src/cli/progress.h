/* progress.h - how far the work has come, for somebody who waits.
 *
 * On a terminal a run of more than a second shows one line on standard error,
 * redrawn in place; whatever is printed clears it first (term.h).  SIGUSR1
 * prints it once, also where there is no terminal.
 */
#ifndef SLV_CLI_PROGRESS_H
#define SLV_CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

#include "base/status.h"

struct slv_watch {
	bool draws;       /* standard error is a terminal, and it is wanted */
	size_t nth, of;   /* which file, of how many */
	const char *file; /* borrowed */
	struct timespec began, drawn; /* the run, the last line */
	struct timespec phase_began;
	bool in_phase;
	enum slv_phase phase;
};

/* A run over `of` files begins.
 *
 *   quiet  draw nothing; SIGUSR1 still prints */
void slv_watch_begin(struct slv_watch *, size_t of, bool quiet);

/* The next file begins. */
void slv_watch_file(struct slv_watch *, const char *file);

/* slv_options.on_progress; ctx is the watch. */
void slv_watch_progress(void *ctx, const struct slv_progress *);

#endif
