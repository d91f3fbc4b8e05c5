/* worker.h - one worker process of a pool, and the line to it. */
#ifndef SLV_BATCH_WORKER_H
#define SLV_BATCH_WORKER_H

#include <sys/types.h>

#include "batch/claims.h"
#include "batch/pool.h"

struct slv_worker {
	pid_t pid;         /* 0: there is none */
	int line;          /* a socket; what is read there are results */
	bool served;       /* it has left a result */
	bool told_to_stop; /* it took too long, or nobody wants it */
	size_t late;       /* the task that it had then */
	struct slv_buf in; /* results that were read */
	size_t from;       /* where those begin that were not taken */
};

/* Start number `me`; lines of the others are closed in it.
 *
 * SLV_E_IO, SLV_E_NOMEM: there is none */
enum slv_status slv_worker_start(struct slv_worker *all, unsigned n_all,
    unsigned me, const struct slv_pool *, struct slv_claims *,
    struct slv_err *);

/* Tell it that there may be another task. */
void slv_worker_wake(const struct slv_worker *);

/* Read what has come over the line; waits if there is nothing.  false: it has
 * ended. */
bool slv_worker_hear(struct slv_worker *);

/* The next of the results that were read, valid until it is asked for another
 * or heard again.  false: there is none that is complete. */
bool slv_worker_result(struct slv_worker *, struct slv_task *);

/* Wait for its end, by force if need be: as slv_task.how. */
int slv_worker_end(struct slv_worker *, bool kill_it);

#endif
