/* pool.h - worker processes that take one task after another.
 *
 * They take tasks by themselves (batch/workers/claims.h), in order, without
 * waiting until their last result was read.
 *
 * A worker that dies, or takes too long, costs the task that it held and no
 * other, and none if it held none.  That task ends without a result, and a new
 * worker takes its place.
 *
 * A log may have taken over the worker that reads it, so nothing that a worker
 * sends is trusted.  A worker that sends a result of a task that it has not
 * claimed, or one that `check` refuses, is killed and counts as dead.  This
 * process measures the time.
 *
 * The result of a task is bytes, which reach this process over a socket.  They
 * are reported as soon as they are there, and again in the order of the tasks,
 * so that what is printed does not depend on the number of workers.
 */
#ifndef SLV_BATCH_POOL_H
#define SLV_BATCH_POOL_H

#include <signal.h>

#include "base/buf.h"

/* How a task ended. */
enum slv_task_end {
	SLV_TASK_DONE,    /* there is a result */
	SLV_TASK_CRASHED, /* the worker ended without a result */
	SLV_TASK_TIMEOUT, /* it took too long */
	SLV_TASK_GARBLED, /* the worker sent something else */
};

struct slv_task {
	size_t nth; /* index of the task */
	enum slv_task_end end;
	int how;              /* if crashed: the signal that ended the worker,
			       * or minus its exit status */
	const uint8_t *bytes; /* if done: the result; borrowed */
	size_t len;
};

/* What a worker is doing. */
struct slv_doing {
	size_t nth;  /* index of the task */
	uint64_t ms; /* for how long */
};

struct slv_pool {
	unsigned workers;
	uint64_t timeout;                    /* seconds per task; 0: no limit */
	uint64_t memory;                     /* bytes per worker; 0: no limit */
	const volatile sig_atomic_t *cancel; /* not 0: begin no new task */

	/* In each worker before it begins a task, and in this process now and
	 * then.  false: begin no further task, and finish those that were
	 * begun. */
	bool (*more)(void *ctx);
	/* In each worker, before its first task.
	 *
	 *   line  the descriptor for its results */
	void (*begin)(void *ctx, int line);
	/* In a worker: do a task and append its result. */
	void (*work)(void *ctx, size_t nth, struct slv_buf *out);
	/* In this process: are these bytes the result of a task?  The other
	 * functions get only confirmed results. */
	bool (*check)(void *ctx, const struct slv_task *);
	/* In this process: a task ended.  `ended` is called at once, then
	 * `tell` in order.  false: begin no new task. */
	bool (*ended)(void *ctx, const struct slv_task *);
	bool (*tell)(void *ctx, const struct slv_task *);
	/* In this process, several times a second while idle: what the n busy
	 * workers are doing. */
	void (*tick)(void *ctx, const struct slv_doing *, size_t n);
	void *ctx;
};

/* Do n tasks.  When it returns, all tasks that were begun have ended, and
 * `tell` was called for them.  After a cancel or a false, later tasks were not
 * begun.
 *
 * SLV_E_IO, SLV_E_NOMEM: no worker could be started; none is running */
enum slv_status slv_pool_run(
    const struct slv_pool *, size_t n, struct slv_err *);

#endif
