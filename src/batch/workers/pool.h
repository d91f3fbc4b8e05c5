/* pool.h - worker processes that take one task after another.
 *
 * They take them by themselves (batch/workers/claims.h), in order, without waiting for
 * this process to hear what became of the last one.
 * A worker that dies, or takes too long, costs the task that it held and no
 * other, and none where it held none: that task ends without a result, and a
 * new worker takes its place.
 * A worker may be in the hands of the log that it reads, and nothing that it
 * sends is trusted: one that sends a result of a task that it has not claimed, or
 * one that `check` refuses, is ended as if it had died.  Time is taken by this
 * process's clock.
 *
 * What a task leaves is bytes, which reach this process over a socket; they are
 * handed out twice, as soon as they are there and in the order of the tasks,
 * so that what is printed does not depend on how many workers there were.
 */
#ifndef SLV_BATCH_POOL_H
#define SLV_BATCH_POOL_H

#include <signal.h>

#include "base/buf.h"

/* How a task ended. */
enum slv_task_end {
	SLV_TASK_DONE,    /* there is a result */
	SLV_TASK_CRASHED, /* the worker ended before it had one */
	SLV_TASK_TIMEOUT, /* it took too long */
	SLV_TASK_GARBLED, /* the worker sent something that is no result */
};

struct slv_task {
	size_t nth; /* which */
	enum slv_task_end end;
	int how;              /* crashed: the signal that ended the worker, or
	                       * minus its exit status */
	const uint8_t *bytes; /* done: the result; borrowed */
	size_t len;
};

/* What a worker does. */
struct slv_doing {
	size_t nth;  /* which task */
	uint64_t ms; /* since when */
};

struct slv_pool {
	unsigned workers;
	uint64_t timeout; /* seconds a task may take; 0: any */
	uint64_t memory;  /* bytes a worker may have; 0: any number */
	const volatile sig_atomic_t *cancel; /* then no new task is begun */

	/* In each worker before it begins a task, and here now and then.
	 * false: none is begun any more, and those that were are ended. */
	bool (*more)(void *ctx);
	/* In each worker, before its first task.
	 *
	 *   line  the descriptor that its results go to */
	void (*begin)(void *ctx, int line);
	/* In a worker: do a task and append what is left of it. */
	void (*work)(void *ctx, size_t nth, struct slv_buf *out);
	/* Here: whether these bytes are the result of a task; the others are
	 * called only with what it has confirmed. */
	bool (*check)(void *ctx, const struct slv_task *);
	/* Here: a task ended; first all of `ended`, as they end, then `tell`
	 * in order.  false: begin no new task. */
	bool (*ended)(void *ctx, const struct slv_task *);
	bool (*tell)(void *ctx, const struct slv_task *);
	/* Here, several times a second, while there is nothing else to do: what
	 * the n workers do that have something to do. */
	void (*tick)(void *ctx, const struct slv_doing *, size_t n);
	void *ctx;
};

/* Do n tasks.  Those that were begun are ended when it returns, and `tell` was
 * called for them; after a cancel or a false, later ones were not begun.
 *
 * SLV_E_IO, SLV_E_NOMEM: no worker could be had; all that run are gone */
enum slv_status slv_pool_run(
    const struct slv_pool *, size_t n, struct slv_err *);

#endif
