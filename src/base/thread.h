/* thread.h - additional threads. */
#ifndef SLV_BASE_THREAD_H
#define SLV_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* How many threads of this process can run at once; at least 1. */
unsigned slv_processors(void);

/* Share the processors equally with other processes of ours, so many in all. */
void slv_processors_share(unsigned processes);

/* Start a thread that takes no signals: these go to the first thread.  False if
 * it cannot be started. */
bool slv_thread_start(pthread_t *, void *(*work)(void *ctx), void *ctx);

#endif
