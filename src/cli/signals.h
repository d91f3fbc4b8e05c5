/* signals.h - a signal sets a flag, and jobs check it.
 *
 * The first SIGINT, SIGTERM or SIGHUP asks the running job to stop, which
 * removes its temporary file and leaves a report.  A second one ends the
 * program at once, unless it comes too soon to be intended: timeout(1) signals
 * its child, and then the group of the child.  A signal that was ignored when
 * the program started stays ignored (nohup).  SIGUSR1 requests the progress.
 * SIGPIPE does not kill.  If the reader of standard output is gone, the run
 * stops, removes what is incomplete, and ends as if by the signal.  If it was
 * another reader, that output has failed.
 */
#ifndef SLV_CLI_SIGNALS_H
#define SLV_CLI_SIGNALS_H

#include <signal.h>

/* The signal that arrived, or 0. */
extern volatile sig_atomic_t slv_signal;

/* SIGUSR1 arrived; the code that answers sets it to 0. */
extern volatile sig_atomic_t slv_signal_asked;

void slv_signals_catch(void);

/* Standard output has no reader any more: act as if SIGPIPE had come, unless it
 * was ignored when the program started. */
void slv_signals_unread(void);

/* From here on the first signal also ends the program if it has not ended by
 * itself after so many seconds. */
void slv_signals_give(unsigned seconds);

/* End the program by the signal that arrived; return if none did. */
void slv_signals_reraise(void);

#endif
