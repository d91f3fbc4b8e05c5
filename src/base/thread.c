/* thread.c - additional threads. */
#include "base/thread.h"

#include <sched.h>
#include <signal.h>

/* Bytes that a thread needs at most.  The default is 8 MiB, all of which counts
 * against a limit of memory. */
#define STACK ((size_t)512 << 10)

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

static bool
start(pthread_t *thread, void *(*work)(void *ctx), void *ctx)
{
	pthread_attr_t how;
	bool started;

	if (pthread_attr_init(&how) != 0)
		return false;
	/* Where that is not possible, the default is taken. */
	(void)pthread_attr_setstacksize(&how, STACK);
	started = pthread_create(thread, &how, work, ctx) == 0;
	pthread_attr_destroy(&how);
	return started;
}

bool
slv_thread_start(pthread_t *thread, void *(*work)(void *ctx), void *ctx)
{
	sigset_t all, before;
	bool started;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return false;
	started = start(thread, work, ctx);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
