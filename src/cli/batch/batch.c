/* batch.c - one job for many files, in worker processes. */
#include "cli/batch/batch_state.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/thread.h"
#include "batch/workers/cpus.h"
#include "batch/workers/memory.h"
#include "cli/batch/unread.h"
#include "cli/files/empty.h"
#include "cli/options/rules.h"
#include "cli/output/confine.h"
#include "cli/signals.h"
#include "cli/terminal/clock.h"
#include "cli/terminal/term.h"
#include "salvor_many.h"

#define GRACE 5 /* seconds that a worker has to stop */

bool
slv_batch_is(const struct slv_args *a)
{
	const struct slv_batch_args *b = &a->batch;

	return b->recursive || b->files0_from != NULL || b->jobs > 1
	    || b->timeout > 0 || b->journal != NULL || b->baseline != NULL
	    || a->job.digests || b->shard.n > 0 || b->subset.of > 0
	    || b->max_duration > 0;
}

/* Why the arguments do not go together; NULL: they do. */
static const char *
conflict(const struct slv_args *a)
{
	const struct slv_options *job = &a->job;

	if (job->output != NULL)
		return "-o takes exactly one FILE; use -d DIR for several";
	if (job->undo_file != NULL)
		return "--undo-file takes exactly one FILE";
	if (job->mapfile != NULL || job->domain_mapfile != NULL)
		return "a map is of one file and cannot be that of many";
	if (a->read_helper != NULL)
		return "--read-helper takes exactly one FILE";
	if (job->plan_out != NULL)
		return "--plan-out takes exactly one FILE";
	if (job->save_dropped != NULL)
		return "--save-dropped is for one file at a time";
	if (a->set && a->batch.shard.n > 0)
		return "--set needs all segments, and a shard has not all";
	if (a->set && (a->batch.subset.of > 0 || a->batch.max_duration > 0))
		return "--set needs all segments, and --subset and "
		       "--max-duration may leave some out";
	if ((a->batch.retry || a->batch.recheck_after > 0
	        || a->batch.revalidate)
	    && a->batch.journal == NULL)
		return "--retry, --recheck-after and --revalidate need "
		       "--journal";
	if (job->digests && a->batch.journal == NULL)
		return "--digests needs --journal, which keeps them";
	return NULL;
}

enum slv_status
slv_batch_find(
    const struct slv_args *a, struct slv_find *find, struct slv_err *err)
{
	const char *why = conflict(a);

	if (why != NULL)
		return slv_fail(err, SLV_E_USAGE, "%s", why);
	for (size_t i = 0; i < a->n_operands; i++)
		SLV_TRY(slv_find_add(find, a->operands[i], err));
	if (a->batch.files0_from != NULL)
		SLV_TRY(slv_find_list(
		    find, a->batch.files0_from, &slv_signal, err));
	for (size_t i = 0; i < find->n; i++) {
		if (strcmp(find->at[i].path, "-") == 0)
			return slv_fail(err, SLV_E_USAGE,
			    "standard input (\"-\") cannot be one of many "
			    "files");
	}
	return SLV_OK;
}

/* In a worker. */
static void
begin(void *ctx, int line)
{
	struct slv_batch *b = ctx;
	const struct slv_args *a = b->args;
	struct slv_err err = { 0 };

	/* The main process may be gone, and then nothing kills the job. */
	slv_signals_give(GRACE);
	if (b->journal != NULL)
		slv_journal_leave(b->journal);
	slv_processors_share(a->batch.jobs);
	slv_throttle_begin(&b->throttle, b->args, a->batch.jobs);
	/* It was possible in the main process. */
	if (slv_batch_confine_worker(b, line, &err) != SLV_OK)
		_exit(SLV_EXIT_USAGE);
}

/* No line may follow a partial one. */
static void
record(struct slv_batch *b, const char *line)
{
	bool good = b->full.code == SLV_OK
	    && slv_journal_add(b->journal, line, &b->full) == SLV_OK;

	b->kept += good;
	b->lost += !good;
}

/* Files from there on would be processed again, so none is begun. */
static void
say_full(struct slv_batch *b)
{
	slv_term_error("%s; of the files of this run %llu are in it, %llu were "
	               "done and are not, %llu are not done yet; make room, "
	               "and the same command goes on",
	    b->full.text, (unsigned long long)b->kept,
	    (unsigned long long)b->lost,
	    (unsigned long long)(b->n_tasks - b->kept - b->lost));
	b->code |= SLV_EXIT_TROUBLE;
}

/* A task ended: write its line to the journal. */
static bool
ended(void *ctx, const struct slv_task *task)
{
	struct slv_batch *b = ctx;
	const struct slv_found *f = &b->find.at[b->tasks[task->nth]];
	struct slv_sent sent;
	struct slv_told told;
	char *line;
	bool good;

	b->done++;
	b->done_bytes += f->size;
	slv_batch_sent_of(b, task, &sent);
	good = slv_batch_line(b, task->nth, &sent, &line);
	slv_batch_told_of(b, task->nth, &sent, &told);
	b->damaged += (told.code & (SLV_EXIT_LOSSY | SLV_EXIT_DAMAGED)) != 0
	    && !slv_told_is_no_log(&told, f);
	slv_told_free(&told);
	if (!good) {
		slv_term_error(
		    "%s: not in the journal: out of memory", f->path);
		b->code |= SLV_EXIT_TROUBLE;
	}
	if (line != NULL)
		record(b, line);
	slv_free(line);
	return b->full.code == SLV_OK;
}

static bool
tell(void *ctx, const struct slv_task *task)
{
	struct slv_batch *b = ctx;
	size_t file = b->tasks[task->nth];
	struct slv_sent sent;
	struct slv_told told;
	bool good = slv_batch_catch_up(b, file), before;

	b->next++;
	b->next_task++;
	slv_batch_sent_of(b, task, &sent);
	before = sent.before;
	b->earlier += before;
	slv_batch_told_of(b, task->nth, &sent, &told);
	good = (before ? slv_batch_say_earlier(b, file)
	               : slv_batch_say(b, &b->find.at[file], &told))
	    && good;
	if (!good)
		b->code |= SLV_EXIT_TROUBLE;
	return good;
}

/* Return true if there is time for another file. */
static bool
more(void *ctx)
{
	const struct slv_batch *b = ctx;
	uint64_t most = b->args->batch.max_duration;

	return most == 0
	    || slv_clock_seconds(b->pace.began, slv_clock()) < (double)most;
}

static void
tick(void *ctx, const struct slv_doing *doing, size_t n)
{
	slv_batch_draw(ctx, doing, n);
}

/* Bytes that each worker may have.  Without --max-memory all workers together
 * have the limit of one process. */
static uint64_t
share_memory(struct slv_batch *b)
{
	uint64_t *memory = &b->args->job.limits.max_memory;
	uint64_t workers =
	    slv_min64(b->args->batch.jobs, b->n_tasks > 0 ? b->n_tasks : 1);

	if (b->share)
		*memory /= workers;
	return *memory;
}

static enum slv_status
run(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_pool pool = {
		.workers = b->args->batch.jobs,
		.timeout = b->args->batch.timeout,
		.memory = share_memory(b),
		.cancel = &slv_signal,
		.more = more,
		.begin = begin,
		.work = slv_batch_work,
		.check = slv_batch_check,
		.ended = ended,
		.tell = tell,
		.tick = tick,
		.ctx = b,
	};

	SLV_TRY(slv_pool_run(&pool, b->n_tasks, err));
	if (b->full.code != SLV_OK)
		say_full(b);
	if (slv_signal == 0 && !more(b))
		b->left = b->n_tasks - b->done;
	if (b->left > 0)
		b->code |= SLV_EXIT_STOPPED;
	if (slv_signal == 0 && !slv_batch_catch_up(b, b->find.n))
		b->code |= SLV_EXIT_TROUBLE;
	return SLV_OK;
}

/* Read everything that is needed before any log; in the sandbox. */
static enum slv_status
read_all(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_batch_args *a = &b->args->batch;

	SLV_TRY(slv_rules_read(b->args, err));
	if (b->args->job.policy != NULL) {
		b->run.rules = b->rules = slv_policy_id(b->args->job.policy);
		if (b->rules == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	SLV_TRY(slv_batch_open_baseline(b, err));
	if (b->journal == NULL)
		return SLV_OK;
	SLV_TRY(slv_journal_read(b->journal, &slv_signal, err));
	/* The files of these lines are processed again. */
	slv_unread_say(b->journal, &a->journal, false);
	return SLV_OK;
}

/* Check everything that may be refused before any file is processed. */
static enum slv_status
prepare(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_batch_args *a = &b->args->batch;

	b->run.options = b->options = slv_batch_options(b->args);
	if (b->options == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_confine_check(b->args, err));
	SLV_TRY(slv_batch_find(b->args, &b->find, err));
	if (b->how->repairs)
		SLV_TRY(slv_batch_check_outputs(b, err));
	if (a->journal != NULL)
		SLV_TRY(slv_journal_open(a->journal, b->run.command,
		    !b->args->job.dry_run, &b->journal, err));
	SLV_TRY(slv_batch_confine(b, err));
	SLV_TRY(read_all(b, err));
	return slv_batch_plan(b, err);
}

static void
release(struct slv_batch *b)
{
	slv_journal_close(b->journal);
	slv_journal_close(b->baseline);
	if (b->null >= 0)
		close(b->null);
	slv_find_free(&b->find);
	slv_free(b->known);
	slv_free(b->rules);
	slv_free(b->options);
	slv_free(b->tasks);
}

int
slv_batch_refuse(const struct slv_args *args, const struct slv_err *err)
{
	slv_term_error("%s", err->text);
	if (args->json)
		slv_term_line(stdout, slv_error_json(NULL, err));
	return err->code == SLV_E_USAGE ? SLV_EXIT_USAGE : SLV_EXIT_TROUBLE;
}

/* Process the planned files, and report everything. */
static int
do_all(struct slv_batch *b)
{
	struct slv_err err = { 0 };
	int code = (int)slv_records_open(&b->records, b->args);

	if (code != SLV_EXIT_SOUND)
		return code;
	if (run(b, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		b->code |= SLV_EXIT_TROUBLE;
	}
	/* With only some of them, others would seem to be missing. */
	if (b->next == b->find.n)
		b->code |= slv_records_sets(&b->records);
	if (slv_signal == 0)
		b->code |= slv_empty_check(&b->records, &b->find, b->no_logs);
	if (!slv_batch_summary(b))
		b->code |= SLV_EXIT_TROUBLE;
	if (!slv_records_close(&b->records, b->find.n - b->no_logs))
		b->code |= SLV_EXIT_TROUBLE;
	return b->code;
}

int
slv_batch_run(struct slv_args *args, const struct slv_treatment *how)
{
	const struct slv_batch_args *a = &args->batch;
	const struct slv_subset all = { .of = 0 };
	const char *const leave[] = { args->job.output_dir, a->journal,
		a->baseline, args->report, args->sums, args->html, args->junit,
		args->metrics };
	const struct slv_find_rules rules = {
		.recursive = a->recursive,
		.include = a->include.at,
		.n_include = a->include.n,
		.exclude = a->exclude.at,
		.n_exclude = a->exclude.n,
		.min_age = a->min_age,
		.leave = leave,
		.n_leave = sizeof(leave) / sizeof(*leave),
		.shard = a->shard,
		.subset = slv_batch_has_turn(a) ? all : a->subset,
	};
	struct slv_batch b = {
		.args = args,
		.how = how,
		.run = { .command = how->name, .digests = args->job.digests },
		.null = -1,
		.find = { .rules = &rules,
		    .on_error = slv_batch_say_unreadable },
	};
	struct slv_err err = { 0 };
	int code;

	b.find.ctx = &b;
	b.find.skipped[SLV_SKIP_OURS] = args->n_ours;
	slv_pace_begin(&b.pace, args);
	/* Before the sandbox, which hides the control groups. */
	b.share = args->job.limits.max_memory == 0;
	if (b.share)
		args->job.limits.max_memory = slv_memory_default();
	if (args->batch.jobs == 0)
		args->batch.jobs =
		    a->recursive || a->files0_from != NULL ? slv_cpus() : 1;
	args->job.cancel = &slv_signal;
	/* The journal holds the digest of each output. */
	args->job.sha256 |= a->journal != NULL && how->repairs;
	if (prepare(&b, &err) == SLV_OK) {
		args->job.make_dirs = true; /* those below -d, which exists */
		code = do_all(&b);
	} else {
		code = b.code | slv_batch_refuse(args, &err);
	}
	release(&b);
	return code;
}
