/* batch_baseline.c - compare the files of a batch with an earlier journal. */
#include "cli/batch/batch_state.h"
#include "cli/batch/unread.h"
#include "cli/files/same.h"
#include "cli/signals.h"

enum slv_status
slv_batch_open_baseline(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_batch_args *a = &b->args->batch;

	if (a->baseline == NULL)
		return SLV_OK;
	b->run.baseline = true;
	b->own_baseline = slv_same_file(a->baseline, a->journal);
	SLV_TRY(slv_journal_gather(
	    &a->baseline, 1, &slv_signal, &b->baseline, err));
	if (!b->own_baseline)
		slv_unread_say(b->baseline, &a->baseline, false);
	if (slv_baseline_is(b->baseline))
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: holds no digests; \"salvor verify --journal FILE --digests\" "
	    "keeps some",
	    a->baseline);
}

int64_t
slv_batch_since(const struct slv_batch *b, const char *path)
{
	const struct slv_entry *was =
	    b->baseline != NULL ? slv_journal_find(b->baseline, path) : NULL;

	return was != NULL && was->kept.there ? was->kept.when : 0;
}

bool
slv_batch_was_compared(const struct slv_batch *b, const struct slv_entry *e)
{
	if (b->baseline == NULL || !e->compared)
		return e->compared == (b->baseline != NULL);
	/* A line does not prove its own content. */
	return !b->own_baseline && e->since == slv_batch_since(b, e->path);
}
