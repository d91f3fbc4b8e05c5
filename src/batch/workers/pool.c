/* pool.c - worker processes that take one task after another. */
#include "batch/workers/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "batch/workers/worker.h"

#define TICK   200  /* ms between checks of the clock */
#define GRACE  2000 /* ms that a worker has to clean up after --timeout */
#define ROOM   ((size_t)1 << 30) /* bytes of waiting results, about */
#define CANCEL 8000              /* after a signal: it ends earlier */

/* A finished task that waits for earlier ones. */
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
	size_t n, told;             /* tasks: all, reported */
	size_t bytes;               /* of waiting results */
	uint64_t clock;             /* ms, at the last check */
	bool stop;                  /* begin no new task */
	bool barred;                /* no claims are possible */
};

static bool
is_stopped(const struct run *r)
{
	return r->stop || slv_is_cancelled(r->pool->cancel);
}

/* Report tasks as long as the next one in order is finished. */
static void
tell(struct run *r)
{
	while (r->told < r->n && r->waiting[r->told % SLV_CLAIMS].there) {
		struct waiting *w = &r->waiting[r->told % SLV_CLAIMS];

		if (!r->pool->tell(r->pool->ctx, &w->task))
			r->stop = true;
		r->bytes -= w->task.len;
		slv_free((void *)(uintptr_t)w->task.bytes);
		*w = (struct waiting){ .there = false };
		slv_claims_pass(r->claims, r->told++);
	}
}

static uint64_t
clock_now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
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
	r->bytes += task.len;
	*w = (struct waiting){ .there = true, .task = task };
	tell(r);
	return SLV_OK;
}

/* The end of the range of tasks that can be claimed. */
static size_t
window_end(const struct run *r)
{
	return r->n - r->told < SLV_CLAIMS ? r->n : r->told + SLV_CLAIMS;
}

/* Return true if a worker has claimed this task and sent no result for it. */
static bool
is_held(const struct run *r, unsigned worker, size_t task)
{
	return task >= r->told && task < window_end(r)
	    && !r->waiting[task % SLV_CLAIMS].there
	    && slv_claims_owner(r->claims, task) == (int)worker;
}

/* Return true if there is space for what a worker sends.  There always is for
 * the next task in order, which frees space. */
static bool
is_listened_to(const struct run *r, const struct slv_worker *w)
{
	return r->bytes < ROOM || (w->holds && w->task == r->told);
}

/* What the claims say about each worker; a task without a valid owner becomes
 * free again. */
static void
look(struct run *r)
{
	uint64_t now = clock_now(), passed = now - r->clock;
	bool any = false;

	/* While this process waited for a reader of its output, it read nothing
	 * from the workers. */
	passed = passed < 2 * TICK ? passed : 2 * TICK;
	r->clock = now;
	for (unsigned i = 0; i < r->pool->workers; i++)
		r->workers[i].holds = false;
	for (size_t n = r->told, end = window_end(r); n < end; n++) {
		int owner = slv_claims_owner(r->claims, n);

		if (r->waiting[n % SLV_CLAIMS].there
		    || owner == SLV_CLAIMS_FREE)
			continue;
		if (owner < 0 || r->workers[owner].pid == 0) {
			slv_claims_return(r->claims, n);
		} else if (!r->workers[owner].holds) {
			r->workers[owner].holds = any = true;
			r->workers[owner].task = n;
		}
	}
	/* A worker has advanced the shared number. */
	if (!any && !r->barred && !slv_claims_any(r->claims))
		slv_claims_seek(r->claims, r->told);
	for (unsigned i = 0; i < r->pool->workers; i++) {
		struct slv_worker *w = &r->workers[i];
		bool works = w->holds && is_listened_to(r, w);

		w->busy = works ? w->busy + passed : 0;
		w->asked = w->told_to_stop ? w->asked + passed : 0;
	}
}

/* The outcome of a worker's results. */
enum news {
	NEWS_GOOD,
	NEWS_LATE,    /* one came too late, and its task is charged */
	NEWS_GARBLED, /* one is invalid */
};

/* Return true if a result came after its worker was told that it is too
 * late. */
static bool
is_late(const struct run *r, const struct slv_worker *w, size_t task)
{
	return w->told_to_stop && w->late == task && !is_stopped(r);
}

/* Handle all results that were read, up to an invalid one. */
static enum slv_status
take_results(struct run *r, unsigned i, enum news *news, struct slv_err *err)
{
	struct slv_worker *w = &r->workers[i];
	enum slv_result is = SLV_RESULT_THERE;
	struct slv_task task;

	for (;;) {
		is = slv_worker_result(w, &task);
		if (is == SLV_RESULT_NONE)
			return SLV_OK;
		if (is == SLV_RESULT_GARBLED || !is_held(r, i, task.nth)
		    || !r->pool->check(r->pool->ctx, &task)) {
			*news = NEWS_GARBLED;
			return SLV_OK;
		}
		w->served = true;
		w->busy = 0;
		if (is_late(r, w, task.nth)) {
			*news = NEWS_LATE;
			task = (struct slv_task){ .nth = task.nth,
				.end = SLV_TASK_TIMEOUT };
			return ended(r, task, err);
		}
		SLV_TRY(ended(r, task, err));
	}
}

/* How a worker has ended. */
struct end {
	struct slv_task task; /* the charge for its task */
	bool fresh;           /* it had sent no result */
	bool spares;          /* its task did not cause it */
};

/* The first task that it held ends, and its other claims go to others.  A new
 * worker that held nothing costs the next task, which might do the same. */
static enum slv_status
settle(struct run *r, unsigned i, struct end e, struct slv_err *err)
{
	size_t from = r->told, end = window_end(r);
	bool any = false, costs = !e.spares;

	for (size_t n = from; n < end; n++) {
		if (!is_held(r, i, n))
			continue;
		any = true;
		if (!costs && !r->barred) {
			slv_claims_return(r->claims, n);
			continue;
		}
		costs = false;
		e.task.nth = n;
		SLV_TRY(ended(r, e.task, err));
	}
	/* A worker that was told to stop before it began ends with 0. */
	if (!any && e.fresh && e.task.how != 0
	    && slv_claims_take(r->claims, i, &e.task.nth)
	    && is_held(r, i, e.task.nth))
		SLV_TRY(ended(r, e.task, err));
	slv_claims_done(r->claims, i);
	return SLV_OK;
}

static enum slv_task_end
end_of(const struct run *r, const struct slv_worker *w, enum news news)
{
	if (news == NEWS_GARBLED)
		return SLV_TASK_GARBLED;
	return w->told_to_stop && !is_stopped(r) ? SLV_TASK_TIMEOUT
	                                         : SLV_TASK_CRASHED;
}

/* A worker has ended, or must.  If it was killed when all its work was done and
 * only its result was unread, the task did not cause it, unless it happens
 * again. */
static enum slv_status
lost(struct run *r, unsigned i, enum news news, struct slv_err *err)
{
	struct slv_worker *w = &r->workers[i];
	enum slv_status st = SLV_OK;
	struct end e = { .task = { .how = slv_worker_end(w, true) } };
	bool works = slv_claims_works(r->claims, i);

	/* What it has sent before counts. */
	while (st == SLV_OK && news == NEWS_GOOD && slv_worker_hear(w))
		st = take_results(r, i, &news, err);
	e.task.end = end_of(r, w, news);
	e.fresh = !w->served;
	e.spares = news == NEWS_LATE
	    || (news == NEWS_GOOD && !works && !e.fresh && e.task.how > 0);
	slv_worker_free(w);
	return st == SLV_OK ? settle(r, i, e, err) : st;
}

static enum slv_status
hear(struct run *r, unsigned i, struct slv_err *err)
{
	enum news news = NEWS_GOOD;

	if (!slv_worker_hear(&r->workers[i]))
		return lost(r, i, news, err);
	SLV_TRY(take_results(r, i, &news, err));
	return news == NEWS_GOOD ? SLV_OK : lost(r, i, news, err);
}

/* Ask a worker to stop that takes too long or is no longer needed, and after a
 * while kill it. */
static enum slv_status
watch(struct run *r, unsigned i, struct slv_err *err)
{
	struct slv_worker *w = &r->workers[i];
	uint64_t most = r->pool->timeout * 1000;
	/* It began at most one check before it was seen. */
	uint64_t over = most > 0 && w->busy >= most + 2 * TICK
	    ? w->busy - most - 2 * TICK + 1
	    : 0;
	/* A result may have come since; but not piece by piece for ever. */
	bool late = over > GRACE || (over > 0 && !slv_worker_is_ready(w));

	if (!w->holds)
		return SLV_OK;
	if (w->asked >= (is_stopped(r) ? CANCEL : GRACE))
		return lost(r, i, NEWS_GOOD, err);
	if (!w->told_to_stop && (late || is_stopped(r))) {
		w->told_to_stop = true;
		w->late = w->task;
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

		if (w->pid > 0 && w->holds)
			r->doing[n++] = (struct slv_doing){ w->task, w->busy };
	}
	r->pool->tick(r->pool->ctx, r->doing, n);
}

/* Start a worker where one is missing and there is work, and notify those that
 * wait, or may wait although another one has changed what they say. */
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
		else if (slv_claims_waits(r->claims, i) || !w->holds)
			slv_worker_wake(w);
	}
	return SLV_OK;
}

/* Wait for results or ends of workers. */
static enum slv_status
round_of(struct run *r, struct slv_err *err)
{
	unsigned n = r->pool->workers;

	look(r);
	for (unsigned i = 0; i < n; i++) {
		const struct slv_worker *w = &r->workers[i];
		bool heard = w->pid > 0 && is_listened_to(r, w);

		r->fds[i] = (struct pollfd){ heard ? w->line : -1, POLLIN, 0 };
	}
	if (poll(r->fds, n, TICK) < 0 && errno != EINTR)
		return slv_fail_errno(err, "waiting for worker processes");
	for (unsigned i = 0; i < n; i++) {
		if (r->fds[i].fd >= 0 && r->fds[i].revents != 0)
			SLV_TRY(hear(r, i, err));
		if (r->workers[i].pid > 0)
			SLV_TRY(watch(r, i, err));
	}
	tick(r);
	return SLV_OK;
}

/* Return true if some task is begun and not finished. */
static bool
is_open(struct run *r)
{
	look(r);
	for (unsigned i = 0; i < r->pool->workers; i++) {
		if (r->workers[i].holds)
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
	for (unsigned i = 0; r->workers != NULL && i < r->pool->workers; i++) {
		struct slv_worker *w = &r->workers[i];

		if (w->pid > 0) {
			slv_worker_end(w, r->told < r->n && w->holds);
			slv_worker_free(w);
		}
	}
	for (size_t i = 0; r->waiting != NULL && i < SLV_CLAIMS; i++)
		slv_free((void *)(uintptr_t)r->waiting[i].task.bytes);
	slv_claims_free(r->claims);
	slv_free(r->workers);
	slv_free(r->fds);
	slv_free(r->doing);
	slv_free(r->waiting);
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
