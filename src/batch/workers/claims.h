/* claims.h - which worker has which task, in memory that all of them share.
 *
 * Workers take the next task by themselves, so that none waits between two of
 * them for somebody to hear what became of the first.  A claim is one atomic
 * write, which names the task and the worker at once: whatever ends a worker
 * and whenever, the claims say which task it held, and every task is either
 * free or somebody's.
 *
 * Tasks are claimed in their order, and no more than SLV_CLAIMS of them beyond
 * those that were told of.
 *
 * A worker may be in the hands of a log that it reads.  What it can do here is
 * claim or give up any task, and stop others from claiming; so a result counts
 * only where slv_claims_owner() confirms it, and the process that started the
 * workers looks after tasks without a valid owner.
 */
#ifndef SLV_BATCH_CLAIMS_H
#define SLV_BATCH_CLAIMS_H

#include "base/status.h"

/* Tasks that may be claimed before an earlier one is told of. */
#define SLV_CLAIMS 1024

struct slv_claims;

/* For n tasks and so many workers, which are to be forked behind it.
 *
 * SLV_E_NOMEM, SLV_E_IO */
enum slv_status slv_claims_make(
    struct slv_claims **out, size_t n, unsigned workers, struct slv_err *);

void slv_claims_free(struct slv_claims *); /* NULL is allowed */

/* Claim the next task for a worker, who begins it now.  false: none is free. */
bool slv_claims_take(struct slv_claims *, unsigned worker, size_t *task);

/* In a worker: it has done its task; it waits for a byte on its line that says
 * that there may be another, or no longer. */
void slv_claims_done(struct slv_claims *, unsigned worker);
void slv_claims_wait(struct slv_claims *, unsigned worker, bool waits);

/* What a worker reports of itself: it waits; it has begun a task and not done
 * it. */
bool slv_claims_waits(const struct slv_claims *, unsigned worker);
bool slv_claims_works(const struct slv_claims *, unsigned worker);

/* The worker that has claimed a task that is not reported yet. */
#define SLV_CLAIMS_FREE    (-1) /* none has */
#define SLV_CLAIMS_INVALID (-2) /* no worker of ours leaves it like this */
int slv_claims_owner(const struct slv_claims *, size_t task);

/* A task goes back, as its worker is gone before it could be done. */
void slv_claims_return(struct slv_claims *, size_t task);

/* Workers look for the next free task from this one on, whatever the shared
 * number says; none before it is free. */
void slv_claims_seek(struct slv_claims *, size_t task);

/* A task was told of, in order. */
void slv_claims_pass(struct slv_claims *, size_t task);

/* Whether there is one that nobody has claimed. */
bool slv_claims_any(const struct slv_claims *);

/* Nobody can claim a task any more. */
void slv_claims_bar(struct slv_claims *);

#endif
