/* claims.c - which worker has which task, in memory that all of them share.
 *
 * The cell of a task holds its number and whose it is.  It is that of another
 * task when the window has moved on, so that who comes late with a number finds
 * that it is no longer there.
 */
#include "batch/claims.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#define OWNER   0xffffu /* of a cell: the worker and 1 */
#define FREE    0u
#define BARRED  OWNER
#define NTH(c)  ((size_t)((c) >> 16))
#define CELL(n) ((uint64_t)(n) << 16)

#define TASKS   48 /* bits of `next` */
#define TASK(w) ((size_t)((w) & (((uint64_t)1 << TASKS) - 1)))

/* What a worker says of itself. */
struct desk {
	_Atomic uint64_t since; /* ms; 0: it does nothing */
	_Atomic uint64_t task;
	_Atomic bool waits;
};

struct slv_claims {
	size_t n, size; /* tasks; bytes of all this */
	unsigned workers;
	_Atomic uint64_t next; /* no task before it is free, and not many
	                        * behind it are not; above it, how often one
	                        * has come back */
	_Atomic bool barred;
	_Atomic uint64_t cells[SLV_CLAIMS];
	struct desk desks[];
};

uint64_t
slv_claims_clock(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

enum slv_status
slv_claims_make(
    struct slv_claims **out, size_t n, unsigned workers, struct slv_err *err)
{
	size_t size = sizeof(struct slv_claims) + workers * sizeof(struct desk);
	struct slv_claims *c = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (c == MAP_FAILED)
		return slv_fail_errno(err, "memory for worker processes");
	c->n = n;
	c->size = size;
	c->workers = workers;
	for (size_t i = 0; i < SLV_CLAIMS; i++)
		c->cells[i] = CELL(i) | FREE;
	*out = c;
	return SLV_OK;
}

void
slv_claims_free(struct slv_claims *c)
{
	if (c != NULL)
		munmap(c, c->size);
}

/* Claim task n, or else move n on to where the next may be.  false: there is
 * none. */
static bool
try_one(struct slv_claims *c, unsigned worker, size_t *n, bool *taken)
{
	uint64_t is = CELL(*n) | FREE;

	*taken = atomic_compare_exchange_strong(
	    &c->cells[*n % SLV_CLAIMS], &is, CELL(*n) | (worker + 1));
	if (*taken)
		return true;
	/* A later number: the window has moved on, and this one is done. */
	return NTH(is) >= *n && (is & OWNER) != BARRED && ++*n < c->n;
}

bool
slv_claims_take(struct slv_claims *c, unsigned worker, size_t *task)
{
	uint64_t from = c->next;
	size_t n = TASK(from);
	bool taken = false;

	while (!taken) {
		if (n >= c->n || !try_one(c, worker, &n, &taken))
			return false;
	}
	c->desks[worker].task = n;
	c->desks[worker].since = slv_claims_clock();
	/* All before it are somebody's, unless one has come back since. */
	atomic_compare_exchange_strong(
	    &c->next, &from, from - TASK(from) + n + 1);
	*task = n;
	return true;
}

void
slv_claims_done(struct slv_claims *c, unsigned worker)
{
	c->desks[worker].since = 0;
}

void
slv_claims_wait(struct slv_claims *c, unsigned worker, bool waits)
{
	c->desks[worker].waits = waits;
}

bool
slv_claims_waits(const struct slv_claims *c, unsigned worker)
{
	return c->desks[worker].waits;
}

bool
slv_claims_doing(
    const struct slv_claims *c, unsigned worker, size_t *task, uint64_t *since)
{
	*task = c->desks[worker].task;
	*since = c->desks[worker].since;
	return *since != 0;
}

int
slv_claims_whose(const struct slv_claims *c, size_t task)
{
	uint64_t is = c->cells[task % SLV_CLAIMS];
	unsigned owner = is & OWNER;

	return NTH(is) != task || owner == FREE || owner == BARRED
	    ? -1
	    : (int)owner - 1;
}

/* The cell becomes that of a task that nobody has. */
static void
offer(struct slv_claims *c, size_t task)
{
	c->cells[task % SLV_CLAIMS] = CELL(task) | (c->barred ? BARRED : FREE);
}

void
slv_claims_return(struct slv_claims *c, size_t task)
{
	uint64_t was = c->next, is;

	offer(c, task);
	do {
		size_t least = TASK(was) < task ? TASK(was) : task;

		is = was - TASK(was) + ((uint64_t)1 << TASKS) + least;
	} while (!atomic_compare_exchange_weak(&c->next, &was, is));
}

void
slv_claims_pass(struct slv_claims *c, size_t task)
{
	offer(c, task + SLV_CLAIMS);
}

bool
slv_claims_any(const struct slv_claims *c)
{
	for (size_t n = TASK(c->next); n < c->n; n++) {
		uint64_t is = c->cells[n % SLV_CLAIMS];

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
		uint64_t is = c->cells[i];

		/* Unless somebody claims it this moment. */
		if ((is & OWNER) == FREE)
			atomic_compare_exchange_strong(
			    &c->cells[i], &is, is | BARRED);
	}
}
