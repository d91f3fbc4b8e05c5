/* claims.h - which worker has which task, in memory that all of them share.
 *
 * Workers take the next task by themselves, so that none waits until its last
 * result was read.  A claim is one atomic write of task and worker.  Whenever
 * and however a worker ends, the claims say which task it held, and every task
 * is either free or claimed.
 *
 * Tasks are claimed in order, and at most SLV_CLAIMS of them beyond those that
 * were reported.
 *
 * A log may have taken over the worker that reads it.  Such a worker can claim
 * or give up any task, and stop others from claiming.  So a result counts only
 * if slv_claims_owner() confirms it, and the main process takes care of tasks
 * without a valid owner.
 */
#ifndef SLV_BATCH_CLAIMS_H
#define SLV_BATCH_CLAIMS_H

#include "base/status.h"

/* Tasks that may be claimed before an earlier one is reported. */
#define SLV_CLAIMS 1024

struct slv_claims;

/* For n tasks and so many workers, which are forked afterwards.
 *
 * SLV_E_NOMEM, SLV_E_IO */
enum slv_status slv_claims_make(
    struct slv_claims **out, size_t n, unsigned workers, struct slv_err *);

void slv_claims_free(struct slv_claims *); /* NULL is allowed */

/* Claim the next task for a worker, which begins it now.  false: none is
 * free. */
bool slv_claims_take(struct slv_claims *, unsigned worker, size_t *task);

/* In a worker: its task is done, and it waits for a byte on its socket that
 * says that there may be another one, or no more. */
void slv_claims_done(struct slv_claims *, unsigned worker);
void slv_claims_wait(struct slv_claims *, unsigned worker, bool waits);

/* What a worker says about itself: it waits; it has begun a task and not
 * finished it. */
bool slv_claims_waits(const struct slv_claims *, unsigned worker);
bool slv_claims_works(const struct slv_claims *, unsigned worker);

/* The worker that has claimed a task which is not reported yet. */
#define SLV_CLAIMS_FREE    (-1) /* no worker */
#define SLV_CLAIMS_INVALID (-2) /* no worker of ours leaves such a value */
int slv_claims_owner(const struct slv_claims *, size_t task);

/* Give a task back, because its worker ended before finishing it. */
void slv_claims_return(struct slv_claims *, size_t task);

/* Workers search the next free task from this one on, whatever the shared
 * number says; none before it is free. */
void slv_claims_seek(struct slv_claims *, size_t task);

/* A task was reported, in order. */
void slv_claims_pass(struct slv_claims *, size_t task);

/* Return true if there is an unclaimed one. */
bool slv_claims_any(const struct slv_claims *);

/* Stop all claims. */
void slv_claims_bar(struct slv_claims *);

#endif
