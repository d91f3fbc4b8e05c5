/* thread.c - additional threads. */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>

static unsigned sharing = 1; /* processes */

unsigned
slv_processors(void)
{
	unsigned n = 0;
#ifdef HAVE_SCHED_GETAFFINITY
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus) == 0)
		n = (unsigned)CPU_COUNT(&cpus) / sharing;
#endif
	return n > 1 ? n : 1;
}

void
slv_processors_share(unsigned processes)
{
	sharing = processes > 0 ? processes : 1;
}

bool
slv_thread_start(pthread_t *thread, void *(*work)(void *ctx), void *ctx)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return false;
	started = pthread_create(thread, NULL, work, ctx) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
