/* pace.h - when to show how far the work has come, and where.
 *
 * On a terminal a line is redrawn; where standard error is none, lines follow
 * each other every few seconds, if they are wanted.  SIGUSR1 asks for one at
 * once, wanted or not.
 */
#ifndef SLV_CLI_PACE_H
#define SLV_CLI_PACE_H

#include <stdbool.h>

#include "cli/options/opts.h"
#include "cli/terminal/clock.h"

struct slv_pace {
	bool draws, lines;            /* redraws one, adds more; or neither */
	struct timespec began, shown; /* the run, the last line */
};

void slv_pace_begin(struct slv_pace *, const struct slv_args *);

/* Whether anybody will be shown anything before SIGUSR1 asks. */
bool slv_pace_cares(const struct slv_pace *);

/* Whether it is time to. */
bool slv_pace_is_due(const struct slv_pace *, struct timespec now);

/* Show a line and free it; NULL shows nothing. */
void slv_pace_show(struct slv_pace *, struct timespec now, char *line);

#endif
