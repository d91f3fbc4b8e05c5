/* batch_plan.c - which files of a batch are still to be done. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "cli/batch/batch_state.h"
#include "cli/terminal/term.h"

#define FAILURES (SLV_EXIT_TROUBLE | SLV_EXIT_STOPPED)

/* A waiting file. */
struct waiting {
	size_t file;
	int64_t since; /* last time it was done, seconds since 1970; 0: never */
};

bool
slv_batch_has_turn(const struct slv_batch_args *a)
{
	return a->subset.share && a->journal != NULL;
}

static int
by_patience(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	int order = (x->since > y->since) - (x->since < y->since);

	return order != 0 ? order : (x->file > y->file) - (x->file < y->file);
}

/* Keep the share of the files that have waited longest, even if nights were
 * missed and the archive grows. */
static enum slv_status
take_turn(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_subset *s = &b->args->batch.subset;
	size_t n = b->find.n;
	struct waiting *all = slv_calloc(n + 1, sizeof(*all));
	bool *keep = slv_calloc(n + 1, sizeof(*keep));

	for (size_t i = 0; all != NULL && keep != NULL && i < n; i++) {
		const struct slv_entry *e =
		    slv_journal_find(b->journal, b->find.at[i].path);

		all[i] = (struct waiting){ i, e != NULL ? e->when : 0 };
	}
	if (all != NULL && keep != NULL) {
		slv_sort(all, n, sizeof(*all), by_patience);
		for (size_t i = 0; i < (n * s->n + s->of - 1) / s->of; i++)
			keep[all[i].file] = true;
		slv_find_keep(&b->find, keep);
	} else {
		slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	slv_free(all);
	slv_free(keep);
	return err->code;
}

/* The entry that shows that a file is done; NULL: it is to be done. */
static const struct slv_entry *
done_before(struct slv_batch *b, const struct slv_found *f)
{
	const struct slv_batch_args *a = &b->args->batch;
	const struct slv_entry *e =
	    b->journal != NULL ? slv_journal_find(b->journal, f->path) : NULL;
	uint64_t after = a->recheck_after;
	/* A failure may be due to a missing -f. */
	bool retry = a->retry || b->args->job.force;

	if (e == NULL || !e->told || !slv_entry_holds(e)
	    || !slv_entry_obeys(e, b->run.rules)
	    || (b->run.digests && !e->digested) || !slv_batch_was_compared(b, e)
	    || (retry && (e->code & FAILURES) != 0)
	    || (after > 0 && time(NULL) - e->when >= (int64_t)after)
	    || (after == 0 && slv_batch_has_turn(a)))
		return NULL;
	if (slv_entry_fits(e, b->run.options))
		return e;
	b->otherwise++;
	return NULL;
}

/* The user may have forgotten an option, and repeat weeks of work. */
static void
say_otherwise(const struct slv_batch *b)
{
	if (b->otherwise > 0 && b->args->quiet < 2)
		slv_term_error("%s: files that were done with other options, "
		               "and are done again: %llu",
		    b->args->batch.journal, (unsigned long long)b->otherwise);
}

enum slv_status
slv_batch_plan(struct slv_batch *b, struct slv_err *err)
{
	if (slv_batch_has_turn(&b->args->batch))
		SLV_TRY(take_turn(b, err));
	b->known = slv_calloc(b->find.n + 1, sizeof(struct slv_entry *));
	b->tasks = slv_calloc(b->find.n + 1, sizeof(*b->tasks));
	if (b->known == NULL || b->tasks == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->find.n; i++) {
		const struct slv_entry *e = done_before(b, &b->find.at[i]);

		b->known[i] = e;
		/* If an output must be read again, a worker does it. */
		if (e == NULL
		    || (b->args->batch.revalidate && e->output != NULL))
			b->tasks[b->n_tasks++] = i;
	}
	b->earlier = b->find.n - b->n_tasks;
	say_otherwise(b);
	return SLV_OK;
}
