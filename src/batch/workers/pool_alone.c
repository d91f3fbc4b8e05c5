/* pool_alone.c - a pool without processes: this one does every task itself.
 *
 * For systems that cannot start any.  A task that crashes then ends everything, and
 * --timeout and --max-memory of a worker have no effect.
 */
#include "batch/workers/pool.h"

static bool
is_stopped(const struct slv_pool *pool)
{
	return slv_is_cancelled(pool->cancel);
}

/* false: begin no further task. */
static bool
do_task(const struct slv_pool *pool, size_t nth, struct slv_buf *out)
{
	struct slv_task task = { .nth = nth, .end = SLV_TASK_DONE };

	pool->work(pool->ctx, nth, out);
	task.bytes = out->at;
	task.len = out->len;
	return pool->ended(pool->ctx, &task) & pool->tell(pool->ctx, &task);
}

enum slv_status
slv_pool_run(const struct slv_pool *pool, size_t n, struct slv_err *err)
{
	for (size_t i = 0; i < n && !is_stopped(pool); i++) {
		struct slv_buf out = { 0 };
		bool goes_on = pool->more(pool->ctx);

		if (!goes_on)
			break;
		goes_on = do_task(pool, i, &out);
		if (out.failed)
			slv_fail(err, SLV_E_NOMEM, "out of memory");
		slv_buf_free(&out);
		if (!goes_on || err->code != SLV_OK)
			break;
	}
	return err->code;
}
