/* batch_work.c - a file in a worker, and its result in the main process.
 *
 * A log may have taken over the worker.  What it sends is checked here, and
 * everything that does not depend on the log is made here: the line of the
 * journal, the lines of --sums, and the report of a file without a result.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "cli/batch/batch_state.h"
#include "cli/signals.h"
#include "cli/terminal/clock.h"
#include "cli/terminal/throttle.h"
#include "salvor_many.h"

/* A dry run does nothing that a later run could skip. */
static bool
keeps_lines(const struct slv_batch *b)
{
	return b->journal != NULL && !b->args->job.dry_run;
}

/* Return true if the report in JSON is needed. */
static bool
needs_report(const struct slv_batch *b)
{
	return keeps_lines(b) || b->args->sums != NULL
	    || slv_records_wanted(&b->records);
}

/* In a worker: what is sent about a report, which may be NULL. */
static void
fill(struct slv_batch *b, const struct slv_report *r, struct slv_told *told,
    struct slv_sent *sent)
{
	sent->aside = told->aside;
	sent->failed = told->failed;
	sent->promised = told->promised;
	sent->code = told->code;
	sent->state = told->state;
	sent->totals = told->totals;
	sent->text = told->text;
	sent->report = told->json;
	told->text = told->json = NULL;
	if (r != NULL) {
		sent->policy = slv_report_policy(r);
		sent->baseline = slv_report_baseline(r);
	}
	if (sent->report == NULL && r != NULL && needs_report(b))
		sent->report = slv_report_json(r);
	sent->failed |= sent->report == NULL && needs_report(b);
	if (r != NULL && keeps_lines(b) && b->run.digests) {
		sent->digests = slv_report_digests(r);
		sent->failed |= sent->digests == NULL;
	}
	if (r != NULL && sent->report != NULL && !slv_sent_fill(sent))
		sent->failed = true;
	slv_told_free(told);
}

static void
pack(struct slv_sent *sent, struct slv_buf *out)
{
	slv_sent_pack(sent, out);
	slv_sent_free(sent);
}

/* The options for the job of a file; the caller owns ->output_dir. */
static struct slv_options
options_of(const struct slv_batch *b, const struct slv_found *f)
{
	struct slv_options opt = b->args->job;

	opt.found = !f->named;
	if (opt.output_dir != NULL)
		opt.output_dir = slv_batch_dir(b, f);
	return opt;
}

void
slv_batch_work(void *batch, size_t nth, struct slv_buf *out)
{
	struct slv_batch *b = batch;
	const struct slv_found *f = &b->find.at[b->tasks[nth]];
	const struct slv_entry *known = b->known[b->tasks[nth]];
	struct slv_options opt = options_of(b, f);
	struct slv_baseline was = { 0 };
	struct slv_buf sums = { 0 };
	struct slv_report *r = NULL;
	struct slv_sent sent = { 0 };
	struct slv_told told;
	struct timespec from = slv_clock();

	if (known != NULL && slv_entry_proves(known)) {
		sent.before = true;
		pack(&sent, out);
		return;
	}
	slv_stamp_of(f->path, &sent.input);
	if (b->baseline != NULL) {
		was = slv_baseline_of(b->baseline, f->path, &sums);
		opt.baseline = &was;
	}
	/* Without memory for the name of its directory it would go
	 * elsewhere. */
	if (b->args->job.output_dir == NULL || opt.output_dir != NULL)
		b->how->job(f->path, &opt, &r);
	slv_told_make(&told, b->args, b->how, f->path, r);
	slv_throttle_file(b->args->throttle, told.totals.size);
	sent.seconds = slv_clock_seconds(from, slv_clock());
	fill(b, r, &told, &sent);
	pack(&sent, out);
	slv_report_free(r);
	slv_buf_free(&sums);
	slv_free((void *)(uintptr_t)opt.output_dir);
}

bool
slv_batch_check(void *batch, const struct slv_task *task)
{
	const struct slv_batch *b = batch;
	size_t file = b->tasks[task->nth];
	const struct slv_found *f = &b->find.at[file];
	struct slv_options opt = options_of(b, f);
	char *output =
	    b->how->repairs ? slv_repair_target(f->path, &opt) : NULL;
	const struct slv_sent_asked asked = {
		.path = f->path,
		.output = output,
		.before = b->known[file] != NULL,
		.report = needs_report(b),
		.digests = keeps_lines(b) && b->run.digests,
		.code = SLV_EXIT_ALL,
		.seconds = slv_clock_seconds(b->pace.began, slv_clock()),
	};

	bool good = slv_sent_check(task->bytes, task->len, &asked);

	slv_free(output);
	slv_free((void *)(uintptr_t)opt.output_dir);
	return good;
}

/* Why a task has no result. */
static struct slv_err
why_not(const struct slv_batch *b, const struct slv_task *task,
    const struct slv_found *f)
{
	struct slv_err err = { 0 };

	if (task->end == SLV_TASK_DONE)
		slv_fail(&err, SLV_E_NOMEM, "%s: out of memory", f->path);
	else if (task->end == SLV_TASK_TIMEOUT)
		slv_fail(&err, SLV_E_LIMIT,
		    "%s: took longer than %llu s (--timeout)", f->path,
		    (unsigned long long)b->args->batch.timeout);
	else if (task->end == SLV_TASK_GARBLED)
		slv_fail(&err, SLV_E_BUG,
		    "%s: the process that worked on it sent an invalid result, "
		    "and was ended",
		    f->path);
	else if (task->how > 0)
		slv_fail(&err, SLV_E_BUG,
		    "%s: the process that worked on it was ended by signal %d",
		    f->path, task->how);
	else
		slv_fail(&err, SLV_E_BUG,
		    "%s: the process that worked on it ended", f->path);
	return err;
}

/* What to report about a file whose worker died. */
static void
make_failed(
    struct slv_batch *b, const struct slv_task *task, struct slv_sent *sent)
{
	const struct slv_found *f = &b->find.at[b->tasks[task->nth]];
	struct slv_err err = why_not(b, task, f);
	struct slv_told told;

	*sent = (struct slv_sent){ 0 };
	slv_told_fail(&told, b->args, f->path, &err);
	if (told.json == NULL && needs_report(b))
		told.json = slv_error_json(f->path, &err);
	slv_stamp_of(f->path, &sent->input);
	fill(b, NULL, &told, sent);
	if (b->run.digests)
		sent->digests = slv_strdup("null");
}

void
slv_batch_sent_of(
    struct slv_batch *b, const struct slv_task *task, struct slv_sent *sent)
{
	if (task->end != SLV_TASK_DONE
	    || !slv_sent_unpack(sent, task->bytes, task->len))
		make_failed(b, task, sent);
}

bool
slv_batch_line(
    struct slv_batch *b, size_t nth, const struct slv_sent *sent, char **line)
{
	const struct slv_found *f = &b->find.at[b->tasks[nth]];
	struct slv_journal_done done = {
		.path = f->path,
		.named = f->named || f->wanted,
		.before = sent->input,
		.code = sent->code,
		.state = sent->state,
		.policy = sent->policy,
		.baseline = sent->baseline,
		.output = sent->output,
		.stamp = sent->stamp,
		.sha256 = sent->output_sum.there ? sent->output_sum.at : NULL,
		.report = sent->report,
		.digests = sent->digests,
	};

	*line = NULL;
	if (!keeps_lines(b) || sent->before
	    || sent->state == SLV_STATE_CANCELLED
	    || (sent->state == SLV_STATE_FAILED && slv_signal != 0))
		return true;
	if (b->baseline != NULL)
		done.since = slv_batch_since(b, f->path);
	if (sent->report != NULL && (sent->digests != NULL || !b->run.digests))
		*line = slv_journal_line(&b->run, &done);
	return *line != NULL;
}

void
slv_batch_told_of(const struct slv_batch *b, size_t nth, struct slv_sent *sent,
    struct slv_told *told)
{
	const struct slv_found *f = &b->find.at[b->tasks[nth]];

	*told = (struct slv_told){
		.file = f->path,
		.code = sent->code,
		.state = sent->state,
		.aside = sent->aside,
		.failed = sent->failed,
		.promised = sent->promised,
		.text = sent->text,
		.totals = sent->totals,
		.seconds = sent->seconds,
	};
	sent->text = NULL;
	if (slv_records_wanted(&b->records)) {
		told->json = sent->report;
		sent->report = NULL;
	}
	if (b->args->sums != NULL && !sent->before) {
		told->sums = slv_sent_sums(sent, f->path);
		told->failed |= told->sums == NULL;
	}
	slv_sent_free(sent);
}
