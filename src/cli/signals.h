/* signals.h - a signal sets one flag; the jobs look at it.
 *
 * The first SIGINT, SIGTERM or SIGHUP asks the running job to stop, which
 * removes its temporary file and leaves a report.  A second one ends the
 * program at once, but not where it comes so soon that nobody can have meant
 * it: timeout(1) signals its child, and then the group that the child is in.
 * A signal that was ignored when the program started stays ignored (nohup).
 * SIGUSR1 asks how far the job has come.
 */
#ifndef SLV_CLI_SIGNALS_H
#define SLV_CLI_SIGNALS_H

#include <signal.h>

/* The signal that arrived, or 0. */
extern volatile sig_atomic_t slv_signal;

/* SIGUSR1 arrived; whoever answers sets it to 0. */
extern volatile sig_atomic_t slv_signal_asked;

void slv_signals_catch(void);

/* From here on the first one also ends the program when so many seconds have
 * gone by and it has not ended by itself. */
void slv_signals_give(unsigned seconds);

/* End the program by the signal that arrived; return when none did. */
void slv_signals_reraise(void);

#endif
