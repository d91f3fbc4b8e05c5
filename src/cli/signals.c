/* signals.c - a signal sets a flag, and jobs check it. */
#include "cli/signals.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t slv_signal;
volatile sig_atomic_t slv_signal_asked;

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };

#define CAUGHT (sizeof(caught) / sizeof(*caught))
#define SAME   250 /* ms; a signal within this time is the same request */

/* Time of the first one, ms; 0: none yet.  Two threads may get signals at the
 * same time. */
static _Atomic int64_t first;

static bool dies_of_pipe;

/* Seconds of grace after the first one; 0: no limit. */
static volatile sig_atomic_t given;

static int64_t
now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

static void
stop(int number)
{
	int64_t at = now(), before = 0;

	if (atomic_compare_exchange_strong(&first, &before, at)) {
		slv_signal = number;
		if (given > 0)
			alarm((unsigned)given);
	} else if (at - before >= SAME) {
		signal(number, SIG_DFL);
		raise(number);
	}
}

static void
ask(int number)
{
	slv_signal_asked = number;
}

static void catch (int number, const struct sigaction *act)
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(number, act, NULL);
}

void
slv_signals_catch(void)
{
	struct sigaction act = { .sa_handler = stop, .sa_flags = SA_RESTART };
	struct sigaction question = { .sa_handler = ask,
		.sa_flags = SA_RESTART };

	sigemptyset(&question.sa_mask);
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < CAUGHT; i++)
		sigaddset(&act.sa_mask, caught[i]);
	for (size_t i = 0; i < CAUGHT; i++)
		catch (caught[i], &act);
	catch (SIGUSR1, &question);

	dies_of_pipe = signal(SIGPIPE, SIG_IGN) != SIG_IGN;

	/* Over the limit for file sizes, write(2) must fail, not kill. */
	signal(SIGXFSZ, SIG_IGN);
}

void
slv_signals_unread(void)
{
	if (dies_of_pipe && slv_signal == 0)
		slv_signal = SIGPIPE;
}

void
slv_signals_give(unsigned seconds)
{
	given = (sig_atomic_t)seconds;
}

void
slv_signals_reraise(void)
{
	if (slv_signal == 0)
		return;
	signal(slv_signal, SIG_DFL);
	raise(slv_signal);
}
