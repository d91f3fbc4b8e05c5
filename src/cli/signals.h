/* signals.h - a signal sets one flag; the jobs look at it.
 *
 * The first SIGINT, SIGTERM or SIGHUP asks the running job to stop, which
 * removes its temporary file and leaves a report.  A second one ends the
 * program at once, but not where it comes so soon that nobody can have meant
 * it: timeout(1) signals its child, and then the group that the child is in.
 * A signal that was ignored when the program started stays ignored (nohup).
 * SIGUSR1 asks how far the job has come.  SIGPIPE kills nobody: where the reader
 * of standard output has gone that is noticed, and the run stops and ends as if
 * by it, having removed what is half-done; where it was another reader, that
 * output has failed.
 */
#ifndef SLV_CLI_SIGNALS_H
#define SLV_CLI_SIGNALS_H

#include <signal.h>

/* The signal that arrived, or 0. */
extern volatile sig_atomic_t slv_signal;

/* SIGUSR1 arrived; whoever answers sets it to 0. */
extern volatile sig_atomic_t slv_signal_asked;

void slv_signals_catch(void);

/* Nobody reads standard output any more: as if SIGPIPE had come, unless that was
 * ignored when the program started. */
void slv_signals_unread(void);

/* From here on the first one also ends the program when so many seconds have
 * gone by and it has not ended by itself. */
void slv_signals_give(unsigned seconds);

/* End the program by the signal that arrived; return when none did. */
void slv_signals_reraise(void);

#endif
