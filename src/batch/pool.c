/* pool.c - worker processes that take one task after another. */
#include "batch/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/worker.h"

#define WINDOW 1024 /* tasks that may be done before an earlier one is */
#define TICK   200  /* ms between looks at the clock */
#define GRACE  2000 /* ms that a worker has to clean up */

/* A task that ended and waits for those before it. */
struct waiting {
	bool there;
	struct slv_task task; /* its bytes are owned */
};

struct run {
	const struct slv_pool *pool;
	struct slv_worker *workers; /* owned; pool->workers of them */
	struct pollfd *fds;         /* owned; the same */
	struct slv_doing *doing;    /* owned; the same */
	struct waiting *waiting;    /* owned; WINDOW, by number */
	size_t n, next, told;       /* tasks: all, begun, told */
	bool stop;                  /* begin no new one */
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
	while (r->told < r->n && r->waiting[r->told % WINDOW].there) {
		struct waiting *w = &r->waiting[r->told % WINDOW];

		if (!r->pool->tell(r->pool->ctx, &w->task))
			r->stop = true;
		free((void *)(uintptr_t)w->task.bytes);
		*w = (struct waiting){ .there = false };
		r->told++;
	}
}

static enum slv_status
ended(struct run *r, struct slv_task task, struct slv_err *err)
{
	struct waiting *w = &r->waiting[task.nth % WINDOW];
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

/* Give a worker a task, or a new one in its place where it has died without
 * one.  A new one that dies costs its task: the next might do the same. */
static enum slv_status
give(struct run *r, struct slv_worker *w, size_t task, struct slv_err *err)
{
	bool fresh = !w->served;

	if (w->pid == 0)
		SLV_TRY(slv_worker_start(
		    r->workers, r->pool->workers, w, r->pool, err));
	if (slv_worker_give(w, task) || fresh)
		return SLV_OK;
	slv_worker_end(w, true);
	return give(r, w, task, err);
}

/* Give idle workers what there is to do. */
static enum slv_status
feed(struct run *r, struct slv_err *err)
{
	for (unsigned i = 0; i < r->pool->workers; i++) {
		struct slv_worker *w = &r->workers[i];

		if (w->busy || r->next == r->n || r->next - r->told >= WINDOW
		    || is_stopped(r) || !r->pool->more(r->pool->ctx))
			continue;
		SLV_TRY(give(r, w, r->next++, err));
	}
	return SLV_OK;
}

/* A worker has ended, or is to, without a result. */
static enum slv_status
lost(struct run *r, struct slv_worker *w, struct slv_err *err)
{
	struct slv_task task = {
		.nth = w->task,
		.end = w->told_to_stop && !is_stopped(r) ? SLV_TASK_TIMEOUT
		                                         : SLV_TASK_CRASHED,
	};

	task.how = slv_worker_end(w, true);
	return ended(r, task, err);
}

/* A worker has ended before it took its task. */
static enum slv_status
idle(struct run *r, struct slv_worker *w, struct slv_err *err)
{
	size_t task = w->task;

	if (!w->served || is_stopped(r))
		return lost(r, w, err);
	slv_worker_end(w, true);
	return give(r, w, task, err);
}

static enum slv_status
hear(struct run *r, struct slv_worker *w, struct slv_err *err)
{
	struct slv_task task;

	switch (slv_worker_hear(w)) {
	case SLV_WORKER_MORE: return SLV_OK;
	case SLV_WORKER_GONE: return lost(r, w, err);
	case SLV_WORKER_IDLE: return idle(r, w, err);
	case SLV_WORKER_RESULT: break;
	}
	task = slv_worker_result(w);
	w->busy = false;
	if (w->told_to_stop && !is_stopped(r))
		return lost(r, w, err);
	return ended(r, task, err);
}

/* Ask a worker to stop that takes too long or that nobody wants any more, and
 * after a while no longer ask. */
static enum slv_status
watch(struct run *r, struct slv_worker *w, struct slv_err *err)
{
	uint64_t since = slv_worker_since(w), most = r->pool->timeout * 1000;

	if (w->told_to_stop && most > 0 && since >= most + GRACE)
		return lost(r, w, err);
	if (!w->told_to_stop
	    && ((most > 0 && since >= most) || is_stopped(r))) {
		w->told_to_stop = true;
		kill(w->pid, SIGTERM);
	}
	return SLV_OK;
}

static void
tick(struct run *r)
{
	size_t n = 0;

	for (unsigned i = 0; i < r->pool->workers; i++) {
		const struct slv_worker *w = &r->workers[i];

		if (w->busy)
			r->doing[n++] =
			    (struct slv_doing){ w->task, slv_worker_since(w) };
	}
	r->pool->tick(r->pool->ctx, r->doing, n);
}

/* Wait for news of busy workers; *any: there are some. */
static enum slv_status
round_of(struct run *r, bool *any, struct slv_err *err)
{
	unsigned n = r->pool->workers;

	*any = false;
	for (unsigned i = 0; i < n; i++) {
		bool busy = r->workers[i].busy;

		r->fds[i] = (struct pollfd){ busy ? r->workers[i].line : -1,
			POLLIN, 0 };
		*any |= busy;
	}
	if (!*any)
		return SLV_OK;
	if (poll(r->fds, n, TICK) < 0 && errno != EINTR)
		return slv_fail_errno(err, "waiting for worker processes");
	for (unsigned i = 0; i < n; i++) {
		struct slv_worker *w = &r->workers[i];

		if (r->fds[i].fd >= 0 && r->fds[i].revents != 0)
			SLV_TRY(hear(r, w, err));
		else if (w->busy)
			SLV_TRY(watch(r, w, err));
	}
	tick(r);
	return SLV_OK;
}

static enum slv_status
work_off(struct run *r, struct slv_err *err)
{
	bool any = true;

	while (any) {
		SLV_TRY(feed(r, err));
		SLV_TRY(round_of(r, &any, err));
	}
	return SLV_OK;
}

static void
release(struct run *r)
{
	for (unsigned i = 0; r->workers != NULL && i < r->pool->workers; i++) {
		if (r->workers[i].pid > 0)
			slv_worker_end(&r->workers[i], r->workers[i].busy);
	}
	for (size_t i = 0; r->waiting != NULL && i < WINDOW; i++)
		free((void *)(uintptr_t)r->waiting[i].task.bytes);
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
		.waiting = slv_calloc(WINDOW, sizeof(*r.waiting)),
	};
	enum slv_status st = SLV_OK;

	if (r.workers == NULL || r.fds == NULL || r.doing == NULL
	    || r.waiting == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = work_off(&r, err);
	release(&r);
	return st;
}
