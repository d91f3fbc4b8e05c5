/* worker.h - one worker process of a pool, and the line to it. */
#ifndef SLV_BATCH_WORKER_H
#define SLV_BATCH_WORKER_H

#include <sys/types.h>
#include <time.h>

#include "batch/pool.h"

struct slv_worker {
	pid_t pid; /* 0: there is none */
	int line;  /* a socket; what is read there is a result */
	bool busy;
	bool served; /* it has left a result */
	size_t task;
	struct timespec began; /* the task */
	bool told_to_stop;     /* it took too long, or nobody wants it */
	struct slv_buf in;     /* of the result, with its length in front */
};

/* Start one; lines of the others are closed in it.
 *
 * SLV_E_IO, SLV_E_NOMEM: there is none */
enum slv_status slv_worker_start(struct slv_worker *all, size_t n_all,
    struct slv_worker *, const struct slv_pool *, struct slv_err *);

/* Give it a task.  false: it is dead already; where it dies before it takes the
 * task, that is seen when its result is waited for. */
bool slv_worker_give(struct slv_worker *, size_t task);

/* What has come over the line. */
enum slv_worker_news {
	SLV_WORKER_MORE,   /* part of a result */
	SLV_WORKER_RESULT, /* all of it: see slv_worker_result() */
	SLV_WORKER_GONE,   /* it has ended */
	SLV_WORKER_IDLE,   /* it has ended, and its task it never took */
};

/* Take in what there is; waits if there is nothing. */
enum slv_worker_news slv_worker_hear(struct slv_worker *);

/* The result of its task, valid until it is given another one. */
struct slv_task slv_worker_result(const struct slv_worker *);

/* Wait for its end, by force if need be: as slv_task.how. */
int slv_worker_end(struct slv_worker *, bool kill_it);

/* Milliseconds since its task began. */
uint64_t slv_worker_since(const struct slv_worker *);

#endif
