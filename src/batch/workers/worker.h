/* worker.h - one worker process of a pool, and the socket to it. */
#ifndef SLV_BATCH_WORKER_H
#define SLV_BATCH_WORKER_H

#include <sys/types.h>

#include "batch/workers/claims.h"
#include "batch/workers/pool.h"

/* Bytes of a result, at most: the report of one file, with the digests of each
 * MiB of some terabytes. */
#define SLV_RESULT_MOST ((uint64_t)256 << 20)

struct slv_worker {
	pid_t pid;         /* 0: there is none */
	int line;          /* a socket, from which results are read */
	bool served;       /* it has sent a result */
	bool told_to_stop; /* it took too long, or its work is not wanted */
	size_t late;       /* its task at that time */
	struct slv_buf in; /* results that were read */
	size_t from;       /* start of those that were not taken */

	/* From the claims, when they were last read. */
	bool holds;     /* it has a task without a result: */
	size_t task;    /* the first one */
	uint64_t busy;  /* ms since when, by our own clock */
	uint64_t asked; /* ms since it was told to stop */
};

/* Start number `me`; it closes the sockets of the others.
 *
 * SLV_E_IO, SLV_E_NOMEM: it was not started */
enum slv_status slv_worker_start(struct slv_worker *all, unsigned n_all,
    unsigned me, const struct slv_pool *, struct slv_claims *,
    struct slv_err *);

/* Notify it that there may be another task. */
void slv_worker_wake(const struct slv_worker *);

/* Return true if something has come over the socket, or its end. */
bool slv_worker_is_ready(const struct slv_worker *);

/* Read what has come over the socket.  false: nothing, or its end. */
bool slv_worker_hear(struct slv_worker *);

enum slv_result {
	SLV_RESULT_NONE,    /* no complete one */
	SLV_RESULT_THERE,   /* *task has it */
	SLV_RESULT_GARBLED, /* it is invalid: trust nothing after it */
};

/* The next of the results that were read, valid until the next call or
 * slv_worker_hear().  Its number and its bytes are whatever the worker
 * wrote. */
enum slv_result slv_worker_result(struct slv_worker *, struct slv_task *);

/* End it: at once, or, if it is idle, after a moment in which it may end
 * itself.  Returns slv_task.how; what it has sent can still be read. */
int slv_worker_end(struct slv_worker *, bool kill_it);

/* Forget one that has ended. */
void slv_worker_free(struct slv_worker *);

#endif
