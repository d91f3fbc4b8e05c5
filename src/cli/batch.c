/* batch.c - one job for many files, by many processes. */
#include "cli/batch_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread.h"
#include "batch/cpus.h"
#include "cli/clock.h"
#include "cli/empty.h"
#include "cli/signals.h"
#include "cli/term.h"
#include "cli/unread.h"
#include "guard/guard.h"

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

/* Why the arguments cannot go together; NULL: they can. */
static const char *
conflict(const struct slv_args *a)
{
	const struct slv_options *job = &a->job;

	if (job->output != NULL)
		return "one output (-o) cannot hold several inputs";
	if (job->undo_file != NULL)
		return "one undo record (--undo-file) cannot be of many files";
	if (job->mapfile != NULL || job->domain_mapfile != NULL)
		return "a map is of one file and cannot be that of many";
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
		return "--digests needs --journal, where they are kept";
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

/* In a worker: from here on no log can make it touch what was not named.  Files
 * of a list may be anywhere, so that each is a place of its own. */
static void
begin(void *ctx)
{
	struct slv_batch *b = ctx;
	const struct slv_args *a = b->args;
	bool trees = a->batch.recursive && a->batch.files0_from == NULL;
	char **files = NULL;
	struct slv_guard_job job = {
		.opt = &a->job,
		.repairs = b->how->repairs,
	};

	/* Who started it may be gone, and then nobody ends it by force. */
	slv_signals_give(GRACE);
	if (b->journal != NULL)
		slv_journal_leave(b->journal);
	slv_processors_share(a->batch.jobs);
	slv_throttle_begin(&b->throttle, b->args, a->batch.jobs);
	if (a->no_sandbox)
		return;
	if (trees) {
		job.trees = a->operands;
		job.n_trees = a->n_operands;
	} else {
		files = slv_calloc(b->find.n + 1, sizeof(*files));
		for (; files != NULL && job.n_files < b->find.n; job.n_files++)
			files[job.n_files] = b->find.at[job.n_files].path;
		job.files = files;
	}
	slv_guard_start(&job);
	free(files);
}

/* A dry run does nothing that a later one could leave out. */
static bool
keeps_lines(const struct slv_batch *b)
{
	return b->journal != NULL && !b->args->job.dry_run;
}

/* In a worker: the line of a file in the journal. */
static void
make_line(struct slv_batch *b, const struct slv_report *r,
    struct slv_journal_done *done, struct slv_told *told)
{
	char *report, *digests = NULL;

	if (!keeps_lines(b) || r == NULL || told->state == SLV_STATE_CANCELLED)
		return;
	report = slv_report_json(r);
	if (b->run.digests)
		digests = slv_report_digests(r);
	done->code = told->code;
	done->report = report;
	done->digests = digests;
	if (report != NULL && (digests != NULL || !b->run.digests))
		told->line = slv_journal_line(&b->run, done);
	told->failed |= told->line == NULL;
	free(report);
	free(digests);
}

/* In a worker: what there is to say about a file, and its line in the
 * journal. */
static void
work(void *ctx, size_t nth, struct slv_buf *out)
{
	struct slv_batch *b = ctx;
	const struct slv_found *f = &b->find.at[b->tasks[nth]];
	const struct slv_entry *known = b->known[b->tasks[nth]];
	struct slv_options opt = b->args->job;
	struct slv_journal_done done = {
		.path = f->path,
		.named = f->named || f->wanted,
	};
	struct slv_baseline was = { 0 };
	struct slv_buf sums = { 0 };
	struct slv_report *r = NULL;
	struct slv_told told;
	struct timespec from = slv_clock();
	char *dir = NULL;

	if (known != NULL && slv_entry_proves(known)) {
		told = (struct slv_told){ .before = true };
		slv_told_pack(&told, out);
		return;
	}
	slv_stamp_of(f->path, &done.before);
	if (opt.output_dir != NULL)
		opt.output_dir = dir = slv_batch_dir(b, f);
	if (b->baseline != NULL) {
		was = slv_baseline_of(b->baseline, f->path, &sums);
		done.since = slv_batch_since(b, f->path);
		opt.baseline = &was;
	}
	b->how->job(f->path, &opt, &r);
	slv_told_make(&told, b->args, b->how, f->path, r);
	slv_throttle_file(b->args->throttle, told.totals.size);
	told.seconds = slv_clock_seconds(from, slv_clock());
	make_line(b, r, &done, &told);
	slv_told_pack(&told, out);
	slv_told_free(&told);
	slv_report_free(r);
	slv_buf_free(&sums);
	free(dir);
}

/* Why there is no result of a task. */
static struct slv_err
why_not(const struct slv_batch *b, const struct slv_task *task,
    const struct slv_found *f)
{
	struct slv_err err = { 0 };

	if (task->end == SLV_TASK_TIMEOUT)
		slv_fail(&err, SLV_E_LIMIT,
		    "%s: took longer than %llu s (--timeout)", f->path,
		    (unsigned long long)b->args->batch.timeout);
	else if (task->how > 0)
		slv_fail(&err, SLV_E_BUG,
		    "%s: the process that worked on it was ended by signal %d",
		    f->path, task->how);
	else
		slv_fail(&err, SLV_E_BUG,
		    "%s: the process that worked on it ended", f->path);
	return err;
}

/* What there is to say about a file that cost a worker its life. */
static void
make_failed(struct slv_batch *b, const struct slv_task *task,
    const struct slv_found *f, struct slv_told *told)
{
	struct slv_err err = why_not(b, task, f);
	struct slv_journal_done done = {
		.path = f->path,
		.named = f->named || f->wanted,
	};
	char *json;

	slv_told_fail(told, b->args, f->path, &err);
	if (!keeps_lines(b) || slv_signal != 0)
		return;
	json = slv_error_json(f->path, &err);
	slv_stamp_of(f->path, &done.before);
	done.code = told->code;
	done.report = json;
	done.since = slv_batch_since(b, f->path);
	told->line = json != NULL ? slv_journal_line(&b->run, &done) : NULL;
	told->failed |= told->line == NULL;
	free(json);
}

/* What a task left; the caller owns it. */
static void
told_of(struct slv_batch *b, const struct slv_task *task, struct slv_told *told)
{
	if (task->end != SLV_TASK_DONE
	    || !slv_told_unpack(told, task->bytes, task->len))
		make_failed(b, task, &b->find.at[b->tasks[task->nth]], told);
}

/* Behind a line that is not all there no other may follow. */
static void
record(struct slv_batch *b, const char *line)
{
	bool good = b->full.code == SLV_OK
	    && slv_journal_add(b->journal, line, &b->full) == SLV_OK;

	b->kept += good;
	b->lost += !good;
}

/* What is done from there on would be done again, so nothing is. */
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

/* A task ended: into the journal with it. */
static bool
ended(void *ctx, const struct slv_task *task)
{
	struct slv_batch *b = ctx;
	const struct slv_found *f = &b->find.at[b->tasks[task->nth]];
	struct slv_told told;

	b->done++;
	b->done_bytes += f->size;
	told_of(b, task, &told);
	b->damaged += (told.code & (SLV_EXIT_LOSSY | SLV_EXIT_DAMAGED)) != 0
	    && !slv_told_is_no_log(&told, f);
	if (told.line != NULL && b->journal != NULL)
		record(b, told.line);
	slv_told_free(&told);
	return b->full.code == SLV_OK;
}

static bool
tell(void *ctx, const struct slv_task *task)
{
	struct slv_batch *b = ctx;
	const struct slv_found *f = &b->find.at[b->tasks[task->nth]];
	struct slv_told told;
	bool good = slv_batch_catch_up(b, b->tasks[task->nth]);

	b->next++;
	b->next_task++;
	told_of(b, task, &told);
	b->earlier += told.before;
	good = (told.before ? slv_batch_say_earlier(b, b->tasks[task->nth])
	                    : slv_batch_say(b, f, &told))
	    && good;
	if (!good)
		b->code |= SLV_EXIT_TROUBLE;
	return good;
}

/* Whether there is time for another file. */
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

static enum slv_status
run(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_pool pool = {
		.workers = b->args->batch.jobs,
		.timeout = b->args->batch.timeout,
		.memory = b->args->job.limits.max_memory,
		.cancel = &slv_signal,
		.more = more,
		.begin = begin,
		.work = work,
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

/* Everything that may be refused before any file is worked on. */
static enum slv_status
prepare(struct slv_batch *b, struct slv_err *err)
{
	const struct slv_batch_args *a = &b->args->batch;

	if (b->args->job.policy != NULL) {
		b->run.rules = b->rules = slv_policy_id(b->args->job.policy);
		if (b->rules == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	b->run.options = b->options = slv_batch_options(b->args);
	if (b->options == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_batch_open_baseline(b, err));
	SLV_TRY(slv_batch_find(b->args, &b->find, err));
	if (b->how->repairs)
		SLV_TRY(slv_batch_check_outputs(b, err));
	if (a->journal != NULL) {
		SLV_TRY(slv_journal_open(a->journal, b->run.command,
		    !b->args->job.dry_run, &b->journal, err));
		/* What they were about is done again. */
		slv_unread_say(b->journal, &a->journal, false);
	}
	return slv_batch_plan(b, err);
}

static void
release(struct slv_batch *b)
{
	slv_journal_close(b->journal);
	slv_journal_close(b->baseline);
	slv_find_free(&b->find);
	free(b->known);
	free(b->rules);
	free(b->options);
	free(b->tasks);
}

int
slv_batch_refuse(const struct slv_args *args, const struct slv_err *err)
{
	slv_term_error("%s", err->text);
	if (args->json)
		slv_term_line(stdout, slv_error_json(NULL, err));
	return err->code == SLV_E_USAGE ? SLV_EXIT_USAGE : SLV_EXIT_TROUBLE;
}

/* All that was planned, and what there is to tell of it. */
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
	/* Of some alone it would seem that others are missing. */
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
		a->baseline, args->report, args->sums, args->html,
		args->junit };
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
		.find = { .rules = &rules,
		    .on_error = slv_batch_say_unreadable },
	};
	struct slv_err err = { 0 };
	int code;

	b.find.ctx = &b;
	slv_pace_begin(&b.pace, args);
	if (args->batch.jobs == 0)
		args->batch.jobs =
		    a->recursive || a->files0_from != NULL ? slv_cpus() : 1;
	args->job.cancel = &slv_signal;
	/* The journal holds the digest of each output. */
	args->job.sha256 |= a->journal != NULL && how->repairs;
	if (prepare(&b, &err) == SLV_OK) {
		args->job.make_dirs = true; /* those below -d, which is there */
		code = do_all(&b);
	} else {
		code = b.code | slv_batch_refuse(args, &err);
	}
	release(&b);
	return code;
}
