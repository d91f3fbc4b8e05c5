/* batch_tell.c - report the files of a batch, in order. */
#include <stdlib.h>
#include <string.h>

#include "batch/journal/tally.h"
#include "cli/batch/batch_state.h"
#include "cli/terminal/term.h"

static void
note_loss(struct slv_batch *b, const char *path, uint64_t bytes)
{
	size_t i = b->n_worst;

	while (i > 0 && b->worst[i - 1].bytes < bytes)
		i--;
	if (bytes == 0 || i == SLV_BATCH_WORST)
		return;
	b->n_worst += b->n_worst < SLV_BATCH_WORST;
	memmove(&b->worst[i + 1], &b->worst[i],
	    (b->n_worst - 1 - i) * sizeof(*b->worst));
	b->worst[i] = (struct slv_batch_loss){ path, bytes };
}

void
slv_batch_say_unreadable(void *batch, const struct slv_err *err)
{
	struct slv_batch *b = batch;

	slv_term_error("%s", err->text);
	b->code |= SLV_EXIT_TROUBLE;
}

bool
slv_batch_say(
    struct slv_batch *b, const struct slv_found *f, struct slv_told *told)
{
	told->file = f->path;
	if (slv_told_is_no_log(told, f)) {
		b->no_logs++;
		slv_records_segment(&b->records, told);
		slv_told_free(told);
		return true;
	}
	b->code |= told->code;
	note_loss(b, f->path, told->totals.bytes[SLV_BYTES_LOST]);
	return slv_told_say(told, b->args);
}

bool
slv_batch_say_earlier(struct slv_batch *b, size_t file)
{
	const struct slv_found *f = &b->find.at[file];
	const struct slv_entry *e = b->known[file];
	struct slv_told told = {
		.code = slv_exit_again(e->code, e->state, b->args->ok),
		.state = e->state,
		.promised = e->promised,
		.totals = e->totals,
		.seconds = -1,
	};

	bool wanted = slv_records_wanted(&b->records);
	bool sums = b->args->sums != NULL;

	if (wanted)
		told.json = slv_journal_report(b->journal, e);
	if (sums)
		told.sums = slv_journal_sums(b->journal, e);
	if ((wanted && told.json == NULL) || (sums && told.sums == NULL)) {
		slv_term_error(
		    "%s: its line in the journal cannot be read", f->path);
		b->code |= SLV_EXIT_TROUBLE;
		slv_told_free(&told);
		return true;
	}
	return slv_batch_say(b, f, &told);
}

bool
slv_batch_catch_up(struct slv_batch *b, size_t upto)
{
	bool good = true;

	for (; b->next < upto; b->next++) {
		size_t i = b->next;

		/* A task that was not begun. */
		if (b->next_task < b->n_tasks && b->tasks[b->next_task] == i)
			b->next_task++;
		else
			good = slv_batch_say_earlier(b, i) && good;
	}
	return good;
}
