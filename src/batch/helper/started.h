/* started.h - a command of the user's that runs beside a sandbox. */
#ifndef SLV_BATCH_STARTED_H
#define SLV_BATCH_STARTED_H

#include "base/status.h"

struct slv_started {
	int ask, answer; /* owned: pipes to its input, and from its output */
	int life;        /* owned; closed when it is no longer needed */
};

#define SLV_STARTED_NONE                                                       \
	{                                                                      \
		-1, -1, -1                                                     \
	}

/* Start a command by /bin/sh, which appends a word to it.
 *
 * A process in the sandbox can end no other one.  A second process, outside of
 * it, therefore ends the command, and all that it started, soon after `life` is
 * closed, also by the end of this process. */
enum slv_status slv_started_open(struct slv_started *, const char *command,
    const char *word, struct slv_err *);

void slv_started_close(struct slv_started *);

#endif
