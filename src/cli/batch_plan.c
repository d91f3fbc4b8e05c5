/* batch_plan.c - which files of a batch are to be done. */
#include "base/mem.h"
#include "cli/batch_state.h"

#define FAILURES (SLV_EXIT_TROUBLE | SLV_EXIT_STOPPED)

/* The entry that makes a file one that is done; NULL: it is to be done. */
static const struct slv_entry *
done_before(const struct slv_batch *b, const struct slv_found *f)
{
	const struct slv_batch_args *a = &b->args->batch;
	const struct slv_entry *e =
	    b->journal != NULL ? slv_journal_find(b->journal, f->path) : NULL;

	if (e == NULL || !e->told || !slv_entry_holds(e)
	    || (a->retry && (e->code & FAILURES) != 0)
	    || (a->recheck_after > 0
	        && time(NULL) - e->when >= (int64_t)a->recheck_after))
		return NULL;
	return e;
}

enum slv_status
slv_batch_plan(struct slv_batch *b, struct slv_err *err)
{
	b->known = slv_calloc(b->find.n + 1, sizeof(struct slv_entry *));
	b->tasks = slv_calloc(b->find.n + 1, sizeof(*b->tasks));
	if (b->known == NULL || b->tasks == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->find.n; i++) {
		b->known[i] = done_before(b, &b->find.at[i]);
		if (b->known[i] == NULL)
			b->tasks[b->n_tasks++] = i;
	}
	b->earlier = b->find.n - b->n_tasks;
	return SLV_OK;
}
