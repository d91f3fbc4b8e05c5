/* claims.c - which worker has which task, in memory that all of them share.
 *
 * The cell of a task holds its number and its worker.  When the window has
 * moved on, the cell is used for a later task: a worker that claims the earlier
 * one too late finds another number there.
 *
 * A worker that a log has taken over can write anything into the shared memory.
 * So no sizes are in it, no number from it is used without a check, and no loop
 * here depends on it for its end.
 */
#include "batch/workers/claims.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"

#define OWNER   0xffffu /* part of a cell: the worker and 1 */
#define FREE    0u
#define BARRED  OWNER
#define NTH(c)  ((size_t)((c) >> 16))
#define CELL(n) ((uint64_t)(n) << 16)

#define TASKS   48 /* bits of `next` */
#define TASK(w) ((size_t)((w) & (((uint64_t)1 << TASKS) - 1)))
#define TRIES   1000 /* to write a number that others write at the same time */

/* What a worker says about itself. */
struct desk {
	_Atomic unsigned works, waits;
};

struct shared {
	_Atomic uint64_t next; /* the first task that can be free; the upper
			        * bits count the tasks that were given back */
	_Atomic uint64_t cells[SLV_CLAIMS];
	struct desk desks[];
};

/* Separate in each process. */
struct slv_claims {
	size_t n, size; /* tasks; bytes of the shared memory */
	unsigned workers;
	bool barred;
	struct shared *shared;
};

enum slv_status
slv_claims_make(
    struct slv_claims **out, size_t n, unsigned workers, struct slv_err *err)
{
	size_t size = sizeof(struct shared) + workers * sizeof(struct desk);
	struct slv_claims *c = slv_calloc(1, sizeof(*c));

	if (c == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	*c = (struct slv_claims){ .n = n, .size = size, .workers = workers };
	c->shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->shared == MAP_FAILED) {
		slv_free(c);
		return slv_fail_errno(err, "memory for worker processes");
	}
	for (size_t i = 0; i < SLV_CLAIMS; i++)
		c->shared->cells[i] = CELL(i) | FREE;
	*out = c;
	return SLV_OK;
}

void
slv_claims_free(struct slv_claims *c)
{
	if (c != NULL)
		munmap(c->shared, c->size);
	slv_free(c);
}

/* Claim task n, or advance n to the next candidate.  false: there is none. */
static bool
try_one(struct slv_claims *c, unsigned worker, size_t *n, bool *taken)
{
	uint64_t is = CELL(*n) | FREE;

	*taken = atomic_compare_exchange_strong(
	    &c->shared->cells[*n % SLV_CLAIMS], &is, CELL(*n) | (worker + 1));
	if (*taken)
		return true;
	/* A later number: the window has moved on, and this one is done. */
	return NTH(is) >= *n && (is & OWNER) != BARRED && ++*n < c->n;
}

bool
slv_claims_take(struct slv_claims *c, unsigned worker, size_t *task)
{
	uint64_t from = c->shared->next;
	size_t n = TASK(from);
	bool taken = false;

	while (!taken) {
		if (n >= c->n || !try_one(c, worker, &n, &taken))
			return false;
	}
	c->shared->desks[worker].works = true;
	/* All before it are claimed, unless one was given back since. */
	atomic_compare_exchange_strong(
	    &c->shared->next, &from, from - TASK(from) + n + 1);
	*task = n;
	return true;
}

void
slv_claims_done(struct slv_claims *c, unsigned worker)
{
	c->shared->desks[worker].works = false;
}

void
slv_claims_wait(struct slv_claims *c, unsigned worker, bool waits)
{
	c->shared->desks[worker].waits = waits;
}

bool
slv_claims_waits(const struct slv_claims *c, unsigned worker)
{
	return c->shared->desks[worker].waits != 0;
}

bool
slv_claims_works(const struct slv_claims *c, unsigned worker)
{
	return c->shared->desks[worker].works != 0;
}

int
slv_claims_owner(const struct slv_claims *c, size_t task)
{
	uint64_t is = c->shared->cells[task % SLV_CLAIMS];
	unsigned owner = is & OWNER;

	if (NTH(is) != task)
		return SLV_CLAIMS_INVALID;
	if (owner == FREE || (owner == BARRED && c->barred))
		return SLV_CLAIMS_FREE;
	return owner <= c->workers ? (int)owner - 1 : SLV_CLAIMS_INVALID;
}

/* Write the task into its cell, as free, or barred. */
static void
offer(struct slv_claims *c, size_t task)
{
	c->shared->cells[task % SLV_CLAIMS] =
	    CELL(task) | (c->barred ? BARRED : FREE);
}

/* Let workers search the next free task from `task` on.  With `least`, a search
 * that starts before it is left as it is. */
static void
move(struct slv_claims *c, size_t task, bool least)
{
	uint64_t was = c->shared->next, is;

	for (int i = 0; i < TRIES; i++) {
		size_t to = least && TASK(was) < task ? TASK(was) : task;

		is = was - TASK(was) + ((uint64_t)1 << TASKS) + to;
		if (atomic_compare_exchange_weak(&c->shared->next, &was, is))
			return;
	}
}

void
slv_claims_return(struct slv_claims *c, size_t task)
{
	offer(c, task);
	move(c, task, true);
}

void
slv_claims_seek(struct slv_claims *c, size_t task)
{
	move(c, task, false);
}

void
slv_claims_pass(struct slv_claims *c, size_t task)
{
	offer(c, task + SLV_CLAIMS);
}

bool
slv_claims_any(const struct slv_claims *c)
{
	for (size_t n = TASK(c->shared->next); n < c->n; n++) {
		uint64_t is = c->shared->cells[n % SLV_CLAIMS];

		if (NTH(is) < n || (is & OWNER) == BARRED)
			return false;
		if (NTH(is) == n && (is & OWNER) == FREE)
			return true;
	}
	return false;
}

void
slv_claims_bar(struct slv_claims *c)
{
	c->barred = true;
	for (size_t i = 0; i < SLV_CLAIMS; i++) {
		uint64_t is = c->shared->cells[i];

		/* Unless another worker claims it at this moment. */
		if ((is & OWNER) == FREE)
			atomic_compare_exchange_strong(
			    &c->shared->cells[i], &is, is | BARRED);
	}
}
