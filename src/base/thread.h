/* thread.h - threads beside the one that was there. */
#ifndef SLV_BASE_THREAD_H
#define SLV_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* How many threads of ours can run at once; at least 1. */
unsigned slv_processors(void);

/* From now on the processors are shared with as many other processes of ours,
 * less one, as are told here: each of them counts on its part. */
void slv_processors_share(unsigned processes);

/* Start one that takes no signals: those are the first one's business.  False
 * where it cannot be had. */
bool slv_thread_start(pthread_t *, void *(*work)(void *ctx), void *ctx);

#endif
