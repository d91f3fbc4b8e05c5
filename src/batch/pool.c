/* pool.c - worker processes that take one task after another. */
#include "batch/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/worker.h"

#define TICK  200  /* ms between looks at the clock */
#define GRACE 2000 /* ms that a worker has to clean up */

/* A task that ended and waits for those before it. */
struct waiting {
	bool there;
	struct slv_task task; /* its bytes are owned */
};

struct run {
	const struct slv_pool *pool;
	struct slv_claims *claims;  /* owned */
	struct slv_worker *workers; /* owned; pool->workers of them */
	struct pollfd *fds;         /* owned; the same */
	struct slv_doing *doing;    /* owned; the same */
	struct waiting *waiting;    /* owned; SLV_CLAIMS, by number */
	size_t n, told;             /* tasks: all, told */
	bool stop;                  /* begin no new one */
	bool barred;                /* none can be */
};

static bool
is_stopped(const struct run *r)
{
	return r->stop || (r->pool->cancel != NULL && *r->pool->cancel != 0);
}

/* Tell of tasks as long as the next in order is there. */
static void
tell(struct run *r)
{
	while (r->told < r->n && r->waiting[r->told % SLV_CLAIMS].there) {
		struct waiting *w = &r->waiting[r->told % SLV_CLAIMS];

		if (!r->pool->tell(r->pool->ctx, &w->task))
			r->stop = true;
		free((void *)(uintptr_t)w->task.bytes);
		*w = (struct waiting){ .there = false };
		slv_claims_pass(r->claims, r->told++);
	}
}

static enum slv_status
ended(struct run *r, struct slv_task task, struct slv_err *err)
{
	struct waiting *w = &r->waiting[task.nth % SLV_CLAIMS];
	uint8_t *copy = NULL;

	if (!r->pool->ended(r->pool->ctx, &task))
		r->stop = true;
	if (task.len > 0) {
		copy = slv_realloc(NULL, task.len);
		if (copy == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		memcpy(copy, task.bytes, task.len);
	}
	task.bytes = copy;
	*w = (struct waiting){ .there = true, .task = task };
	tell(r);
	return SLV_OK;
}

/* The task that a worker has claimed and left no result of. */
static bool
held(const struct run *r, unsigned worker, size_t *task)
{
	size_t end = r->n - r->told < SLV_CLAIMS ? r->n : r->told + SLV_CLAIMS;

	for (size_t n = r->told; n < end; n++) {
		if (!r->waiting[n % SLV_CLAIMS].there
		    && slv_claims_whose(r->claims, n) == (int)worker) {
			*task = n;
			return true;
		}
	}
	return false;
}

/* Whether a result came when its worker had been told that it was too late. */
static bool
is_late(const struct run *r, const struct slv_worker *w, size_t task)
{
	return w->told_to_stop && w->late == task && !is_stopped(r);
}

/* All results that were read.  *charged: one was too late. */
static enum slv_status
take_results(
    struct run *r, struct slv_worker *w, bool *charged, struct slv_err *err)
{
	struct slv_task task;

	while (!*charged && slv_worker_result(w, &task)) {
		*charged = is_late(r, w, task.nth);
		if (*charged)
			task = (struct slv_task){ .nth = task.nth,
				.end = SLV_TASK_TIMEOUT };
		SLV_TRY(ended(r, task, err));
	}
	return SLV_OK;
}

/* How a worker has come to its end. */
struct end {
	struct slv_task task; /* how it costs what it held */
	bool fresh;           /* it had left no result */
	bool spares;          /* what it held did not bring it about */
};

/* What it held goes to another one, or is ended.  One that was new and held
 * nothing costs the next task, which might do the same. */
static enum slv_status
settle(struct run *r, unsigned i, struct end e, struct slv_err *err)
{
	bool any = held(r, i, &e.task.nth);

	if (any && e.spares && !r->barred) {
		slv_claims_return(r->claims, e.task.nth);
		return SLV_OK;
	}
	/* One that was told to stop before it began ends with 0. */
	if (!any && e.fresh && e.task.how != 0)
		any = slv_claims_take(r->claims, i, &e.task.nth);
	slv_claims_done(r->claims, i);
	return any ? ended(r, e.task, err) : SLV_OK;
}

/* A worker has ended, or is to; charged: a task that it had was ended.  Who is
 * killed when all work is done and only the result is not heard yet was not
 * killed by the task; unless it happens again. */
static enum slv_status
lost(struct run *r, unsigned i, bool charged, struct slv_err *err)
{
	struct slv_worker *w = &r->workers[i];
	enum slv_status st = SLV_OK;
	struct end e = { .fresh = false };
	uint64_t since;
	bool works;

	e.task.end = w->told_to_stop && !is_stopped(r) ? SLV_TASK_TIMEOUT
	                                               : SLV_TASK_CRASHED;
	/* What it has left before counts. */
	kill(w->pid, SIGKILL);
	while (st == SLV_OK && !charged && slv_worker_hear(w))
		st = take_results(r, w, &charged, err);
	works = slv_claims_doing(r->claims, i, &e.task.nth, &since);
	e.fresh = !w->served;
	e.task.how = slv_worker_end(w, true);
	e.spares = charged || (!works && !e.fresh && e.task.how > 0);
	slv_claims_done(r->claims, i);
	return st == SLV_OK ? settle(r, i, e, err) : st;
}

static enum slv_status
hear(struct run *r, unsigned i, struct slv_err *err)
{
	bool charged = false;

	if (!slv_worker_hear(&r->workers[i]))
		return lost(r, i, false, err);
	SLV_TRY(take_results(r, &r->workers[i], &charged, err));
	return charged ? lost(r, i, true, err) : SLV_OK;
}

/* Ask a worker to stop that takes too long or that nobody wants any more, and
 * after a while no longer ask. */
static enum slv_status
watch(struct run *r, unsigned i, struct slv_err *err)
{
	struct slv_worker *w = &r->workers[i];
	uint64_t most = r->pool->timeout * 1000, since;
	size_t task;

	if (!slv_claims_doing(r->claims, i, &task, &since))
		return SLV_OK;
	since = slv_claims_clock() - since;
	if (w->told_to_stop && most > 0 && since >= most + GRACE)
		return lost(r, i, false, err);
	if (!w->told_to_stop
	    && ((most > 0 && since >= most) || is_stopped(r))) {
		w->told_to_stop = true;
		w->late = task;
		kill(w->pid, SIGTERM);
	}
	return SLV_OK;
}

static void
tick(struct run *r)
{
	uint64_t now = slv_claims_clock(), since;
	size_t n = 0, task;

	for (unsigned i = 0; i < r->pool->workers; i++) {
		if (slv_claims_doing(r->claims, i, &task, &since))
			r->doing[n++] = (struct slv_doing){ task,
				now > since ? now - since : 0 };
	}
	r->pool->tick(r->pool->ctx, r->doing, n);
}

/* A worker where there is none and something to do, and a sign for those that
 * wait. */
static enum slv_status
rouse(struct run *r, struct slv_err *err)
{
	for (unsigned i = 0; i < r->pool->workers; i++) {
		struct slv_worker *w = &r->workers[i];

		if (!slv_claims_any(r->claims) || i >= r->n - r->told)
			return SLV_OK;
		if (w->pid == 0)
			SLV_TRY(slv_worker_start(r->workers, r->pool->workers,
			    i, r->pool, r->claims, err));
		else if (slv_claims_waits(r->claims, i))
			slv_worker_wake(w);
	}
	return SLV_OK;
}

/* Wait for news of workers. */
static enum slv_status
round_of(struct run *r, struct slv_err *err)
{
	unsigned n = r->pool->workers;

	for (unsigned i = 0; i < n; i++)
		r->fds[i] =
		    (struct pollfd){ r->workers[i].pid > 0 ? r->workers[i].line
			                                   : -1,
			    POLLIN, 0 };
	if (poll(r->fds, n, TICK) < 0 && errno != EINTR)
		return slv_fail_errno(err, "waiting for worker processes");
	for (unsigned i = 0; i < n; i++) {
		if (r->fds[i].fd >= 0 && r->fds[i].revents != 0)
			SLV_TRY(hear(r, i, err));
		else if (r->workers[i].pid > 0)
			SLV_TRY(watch(r, i, err));
	}
	tick(r);
	return SLV_OK;
}

/* Whether some task is begun and not ended. */
static bool
is_open(const struct run *r)
{
	size_t task;

	for (unsigned i = 0; i < r->pool->workers; i++) {
		if (r->workers[i].pid > 0 && held(r, i, &task))
			return true;
	}
	return false;
}

static enum slv_status
work_off(struct run *r, struct slv_err *err)
{
	while (r->told < r->n) {
		if (!r->barred
		    && (is_stopped(r) || !r->pool->more(r->pool->ctx))) {
			slv_claims_bar(r->claims);
			r->barred = true;
		}
		if (r->barred && !is_open(r))
			break;
		SLV_TRY(rouse(r, err));
		SLV_TRY(round_of(r, err));
	}
	return SLV_OK;
}

static void
release(struct run *r)
{
	size_t task;

	for (unsigned i = 0; r->workers != NULL && i < r->pool->workers; i++) {
		if (r->workers[i].pid > 0)
			slv_worker_end(&r->workers[i], held(r, i, &task));
	}
	for (size_t i = 0; r->waiting != NULL && i < SLV_CLAIMS; i++)
		free((void *)(uintptr_t)r->waiting[i].task.bytes);
	slv_claims_free(r->claims);
	free(r->workers);
	free(r->fds);
	free(r->doing);
	free(r->waiting);
}

enum slv_status
slv_pool_run(const struct slv_pool *pool, size_t n, struct slv_err *err)
{
	struct run r = {
		.pool = pool,
		.n = n,
		.workers = slv_calloc(pool->workers, sizeof(*r.workers)),
		.fds = slv_calloc(pool->workers, sizeof(*r.fds)),
		.doing = slv_calloc(pool->workers, sizeof(*r.doing)),
		.waiting = slv_calloc(SLV_CLAIMS, sizeof(*r.waiting)),
	};
	enum slv_status st = SLV_OK;

	if (r.workers == NULL || r.fds == NULL || r.doing == NULL
	    || r.waiting == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = slv_claims_make(&r.claims, n, pool->workers, err);
	if (st == SLV_OK)
		st = work_off(&r, err);
	release(&r);
	return st;
}
