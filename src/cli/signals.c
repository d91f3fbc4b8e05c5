/* signals.c - a signal sets one flag; the jobs look at it. */
#include "cli/signals.h"

#include <stddef.h>

volatile sig_atomic_t slv_signal;
volatile sig_atomic_t slv_signal_asked;

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };

#define CAUGHT (sizeof(caught) / sizeof(*caught))

static void
stop(int number)
{
	if (slv_signal == 0)
		slv_signal = number;

	/* Each resets itself (SA_RESETHAND); a second one may be another. */
	for (size_t i = 0; i < CAUGHT; i++)
		signal(caught[i], SIG_DFL);
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
	struct sigaction act = { .sa_handler = stop,
		.sa_flags = SA_RESETHAND | SA_RESTART };
	struct sigaction question = { .sa_handler = ask,
		.sa_flags = SA_RESTART };

	sigemptyset(&question.sa_mask);
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < CAUGHT; i++)
		sigaddset(&act.sa_mask, caught[i]);
	for (size_t i = 0; i < CAUGHT; i++)
		catch (caught[i], &act);
	catch (SIGUSR1, &question);

	/* Over the limit for file sizes, write(2) shall fail, not kill. */
	signal(SIGXFSZ, SIG_IGN);
}

void
slv_signals_reraise(void)
{
	if (slv_signal == 0)
		return;
	signal(slv_signal, SIG_DFL);
	raise(slv_signal);
}
