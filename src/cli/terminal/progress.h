/* progress.h - how far the work has come, for somebody who waits.
 *
 * On a terminal a run of more than a second shows one line on standard error,
 * redrawn in place; whatever is printed clears it first (term.h).  See
 * pace.h for what there is where standard error is none.
 */
#ifndef SLV_CLI_PROGRESS_H
#define SLV_CLI_PROGRESS_H

#include "cli/terminal/pace.h"

struct slv_watch {
	size_t nth, of;   /* which file, of how many */
	const char *file; /* borrowed */
	struct slv_pace pace;
	struct timespec phase_began;
	bool in_phase;
	enum slv_phase phase;
};

/* A run over `of` files begins. */
void slv_watch_begin(struct slv_watch *, size_t of, const struct slv_args *);

/* The next file begins. */
void slv_watch_file(struct slv_watch *, const char *file);

/* slv_options.on_progress; ctx is the watch. */
void slv_watch_progress(void *ctx, const struct slv_progress *);

#endif
