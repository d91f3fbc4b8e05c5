/* job.c - one file, start to finish.
 *
 *	open -> audit (scan, plan, prove) -> output -> report
 *
 * Whatever happens, the report says it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "job/audit/audit.h"
#include "job/audit/tell.h"
#include "job/inplace/inplace_job.h"
#include "job/input/active.h"
#include "job/input/backup.h"
#include "job/input/beside.h"
#include "job/input/digests.h"
#include "job/input/input.h"
#include "job/input/mapfile.h"
#include "job/input/packed.h"
#include "job/merge/fill.h"
#include "job/merge/merge.h"
#include "job/output/dropped.h"
#include "job/output/output.h"
#include "job/output/stream.h"
#include "job/output/target.h"
#include "job/readings/reading.h"
#include "job/rewalk.h"
#include "job/rules/baseline.h"
#include "job/rules/judge.h"
#include "job/work.h"
#include "salvor_many.h"

/* A description is of the present moment: it notes that another process is
 * writing, and continues.  A verdict would be wrong a moment later. */
static enum slv_status
unless_describing(struct slv_work *w, enum slv_status st)
{
	bool describing = w->job == SLV_JOB_INFO || w->job == SLV_JOB_LIST;

	if (st != SLV_E_ACTIVE || !describing)
		return st;
	*w->err = (struct slv_err){ 0 };
	w->active = true;
	return SLV_OK;
}

enum slv_status
slv_work_unchanged(
    const struct slv_work *w, slv_active_fn judge, struct slv_err *err)
{
	if (w->job == SLV_JOB_MERGE)
		return slv_merge_unchanged(&w->merge, judge, err);
	return slv_input_unchanged(
	    w->report, w->source, !w->part, &w->st, judge, err);
}

/* Report what is in doubt, and add what a second recording has. */
static enum slv_status
judge_merge(struct slv_work *w, const struct slv_audit_options *how)
{
	struct slv_source *donor = w->merge.files[w->merge.n].source;

	SLV_TRY(slv_merge_judge(&w->merge, &w->audit, w->err));
	if (donor == NULL)
		return SLV_OK;
	SLV_TRY(slv_fill_run(&w->filled, &w->audit, donor, how, w->err));
	return slv_fill_report(&w->filled, w->opt->fill, w->report, w->err);
}

/* The status of file i. */
static const struct stat *
stat_of(const struct slv_work *w, size_t i)
{
	return w->job == SLV_JOB_MERGE ? &w->merge.files[i].st : &w->st;
}

static bool
is_stream(const struct slv_work *w)
{
	return w->target != NULL && strcmp(w->target, "-") == 0;
}

enum slv_status
slv_work_audit(struct slv_work *w)
{
	const struct slv_options *opt = w->opt;
	struct slv_audit_options how = slv_work_asks(w);

	if (is_stream(w))
		SLV_TRY(slv_stream_check(&w->opt->stream, &w->st, w->err));
	if (!w->part) {
		SLV_TRY(
		    unless_describing(w, slv_input_idle(w->report, w->source)));
		SLV_TRY(slv_inplace_unfinished(w->report, &w->audit, &w->st));
	}
	if (w->report->unfinished)
		return SLV_OK;
	if (w->job == SLV_JOB_REPAIR && !w->part && !opt->in_place
	    && !opt->dry_run) {
		w->tee = (struct slv_tee){ .open = slv_work_begin, .ctx = w };
		how.scan.tee = &w->tee;
	}
	if (opt->donor != NULL && w->job == SLV_JOB_REPAIR && !w->part) {
		SLV_TRY(
		    slv_donor_open(&w->donor, opt, &w->st, &how.scan, w->err));
		how.scan.donor = &w->donor.scan;
	}
	if (w->job == SLV_JOB_REPAIR && !w->part
	    && slv_report_is_of_file(w->report)) {
		slv_neighbours_init(
		    &w->neighbours, w->files[0], &w->st, &how.scan);
		how.scan.siblings = &w->neighbours.siblings;
	}
	SLV_TRY(slv_audit_run(&w->audit, w->source, &how, w->err));
	SLV_TRY(slv_donor_check(&w->donor, &w->audit.scan, w->err));
	if (opt->require_end && w->job == SLV_JOB_VERIFY)
		SLV_TRY(slv_audit_require_end(&w->audit, w->err));
	if (w->job == SLV_JOB_MERGE)
		SLV_TRY(judge_merge(w, &how));
	else if (opt->sha256)
		SLV_TRY(slv_digest_input(
		    w->report, w->source, opt->cancel, w->err));
	if (w->source->size > 0
	    && slv_ranges_sum(&w->source->unreadable) == w->source->size)
		return slv_fail(w->err, SLV_E_IO,
		    "%s: not a single byte of it can be read; image the disk "
		    "first",
		    w->report->file);
	if (opt->in_place)
		SLV_TRY(slv_inplace_possible(&w->audit, w->err));
	if (w->part)
		return SLV_OK;
	for (size_t i = 0; i < w->n_files; i++)
		SLV_TRY(slv_beside_judge(
		    &w->audit, w->files[i], stat_of(w, i), w->err));
	/* A proof that reads all again would find other bytes; one that does not depends
	 * on the times of the file, of which its owner can set one back. */
	return unless_describing(w,
	    slv_work_unchanged(w,
	        w->audit.inherited ? slv_active_touch : slv_active_change,
	        w->err));
}

static enum slv_state
state_of(const struct slv_work *w)
{
	enum slv_state state = w->audit.state;
	bool mended = state == SLV_STATE_REPAIRED || state == SLV_STATE_LOSSY;

	if (w->err->code == SLV_E_CANCELLED)
		return SLV_STATE_CANCELLED;
	if (w->err->code == SLV_E_ACTIVE)
		return SLV_STATE_ACTIVE;
	if (w->err->code != SLV_OK)
		return SLV_STATE_FAILED;
	if (w->active)
		return SLV_STATE_ACTIVE;
	return mended && !slv_report_writes(w->report) ? SLV_STATE_DAMAGED
	                                               : state;
}

/* Report what the audit found, as far as it came. */
static enum slv_status
report_audit(struct slv_work *w)
{
	if (w->source == NULL)
		return SLV_OK;
	w->report->size = w->source->size;
	w->report->annotate = w->opt->annotate;
	SLV_TRY(slv_tell_audit(w->report, &w->audit, slv_work_plan(w), w->err));
	return slv_tell_siblings(
	    w->report, &w->audit.scan, &w->neighbours, w->err);
}

/* Open the copies and join them. */
static enum slv_status
open_copies(struct slv_work *w)
{
	struct slv_audit_options how = slv_work_asks(w);

	SLV_TRY(slv_merge_open(
	    &w->merge, w->files, w->n_files, w->opt, w->target, w->err));
	for (size_t i = 0; i < w->n_files && is_stream(w); i++)
		SLV_TRY(slv_stream_check(
		    &w->opt->stream, &w->merge.files[i].st, w->err));
	w->st = w->merge.files[0].st;
	w->original = slv_packed_file(w->merge.files[0].source);
	SLV_TRY(slv_merge_join(&w->merge, &how, &w->source, w->err));
	return slv_merge_report(&w->merge, w->report, w->err);
}

enum slv_status
slv_work_open(struct slv_work *w)
{
	const struct slv_options *opt = w->opt;

	if (w->job == SLV_JOB_MERGE)
		return open_copies(w);
	if (w->source == NULL)
		SLV_TRY(slv_input_open(
		    w->report, opt, w->target, &w->source, &w->st));
	if (w->report->packed_size > 0
	    || (w->report->spool == NULL
	        && (!w->report->served || slv_source_fd(w->source) >= 0)))
		w->original = slv_packed_file(w->source);
	if (opt->domain_mapfile != NULL)
		SLV_TRY(slv_mapfile_apply(
		    opt->domain_mapfile, w->source, opt->cancel, w->err));
	if (opt->mapfile != NULL)
		SLV_TRY(slv_lines_open(
		    opt->mapfile, SLV_LINES_MAP, opt->cancel, &w->map, w->err));
	if (opt->plan_out == NULL || w->job != SLV_JOB_REPAIR)
		return SLV_OK;
	return slv_lines_open(
	    opt->plan_out, SLV_LINES_PLAN, opt->cancel, &w->plan_out, w->err);
}

/* Publish the map; a file that is being written has none. */
static enum slv_status
publish_map(struct slv_work *w)
{
	struct slv_lines *map = w->map;

	if (map == NULL || w->active)
		return SLV_OK;
	SLV_TRY(slv_mapfile_add(map, slv_reading_catalog(&w->audit), w->err));
	w->map = NULL;
	return slv_lines_commit(map, w->err);
}

/* Find out if another tool has cut the log. */
static enum slv_status
find_backup(struct slv_work *w)
{
	return slv_backup_find(w->report, &w->audit, &w->st, w->err);
}

/* Do what the job does after the audit. */
static enum slv_status
act(struct slv_work *w)
{
	if (w->report->unfinished)
		return SLV_OK;
	SLV_TRY(publish_map(w));
	switch (w->job) {
	case SLV_JOB_UNDO:
	case SLV_JOB_EXPORT:
	case SLV_JOB_EXTRACT: return SLV_OK;
	case SLV_JOB_INFO:
		SLV_TRY(slv_digest_history(
		    w->report, &w->audit, w->files[0], &w->st, w->err));
		return find_backup(w);
	case SLV_JOB_LIST:
		SLV_TRY(slv_digest_history(
		    w->report, &w->audit, w->files[0], &w->st, w->err));
		return w->opt->on_block != NULL ? slv_rewalk_list(w) : SLV_OK;
	case SLV_JOB_VERIFY:
		SLV_TRY(slv_digest_history(
		    w->report, &w->audit, w->files[0], &w->st, w->err));
		SLV_TRY(find_backup(w));
		return slv_baseline_judge(w);
	case SLV_JOB_REPAIR:
	case SLV_JOB_MERGE:
		if (w->part)
			return slv_work_publish(w);
		for (size_t i = 0; i < w->n_files; i++)
			SLV_TRY(slv_digest_history(w->report, &w->audit,
			    w->files[i], stat_of(w, i), w->err));
		SLV_TRY(slv_dropped_save(
		    w->report, &w->audit, w->opt, &w->st, w->err));
		SLV_TRY(slv_work_split(w));
		return slv_work_publish(w);
	}
	return SLV_OK;
}

void
slv_work_blame(struct slv_work *w, struct slv_err *err)
{
	struct slv_err why = { 0 };

	if (err->code == SLV_E_BUG && w->source != NULL
	    && slv_work_unchanged(w, slv_active_touch, &why) == SLV_E_ACTIVE)
		*err = why;
}

/* If the caller limits memory, it runs out at that limit. */
static void
name_limit(struct slv_work *w)
{
	uint64_t most = w->opt->limits.max_memory;

	if (w->err->code != SLV_E_NOMEM || most == 0)
		return;
	*w->err = (struct slv_err){ 0 };
	slv_fail(w->err, SLV_E_LIMIT,
	    "%s: needs more than %llu bytes of memory, which is the limit "
	    "(--max-memory)",
	    w->files[0], (unsigned long long)most);
}

void
slv_work_settle(struct slv_work *w)
{
	slv_work_blame(w, w->err);
	name_limit(w);
	w->report->state = state_of(w);
}

void
slv_work_tell(struct slv_work *w)
{
	/* A failure here is recorded in the report like any other. */
	(void)report_audit(w);
	slv_work_settle(w);
}

void
slv_work_free(struct slv_work *w)
{
	if (w->map != NULL)
		slv_lines_discard(w->map);
	if (w->plan_out != NULL)
		slv_lines_discard(w->plan_out);
	slv_tee_free(&w->tee);
	slv_filled_free(&w->filled);
	slv_silences_free(&w->silences);
	slv_audit_free(&w->audit);
	slv_donor_free(&w->donor);
	slv_neighbours_free(&w->neighbours);
	if (w->job != SLV_JOB_MERGE)
		slv_source_close(w->source);
	slv_merge_free(&w->merge);
	slv_site_close(&w->at);
	slv_free(w->target);
}

void
slv_work_finish(struct slv_work *w)
{
	slv_work_tell(w);
	if (w->err->code == SLV_OK && slv_rewalk(w) == SLV_OK)
		(void)act(w);
	if (w->opt->policy != NULL)
		(void)slv_judge_policy(w);
	slv_work_settle(w);
	if (w->report->state == SLV_STATE_ACTIVE)
		slv_active_unsay(w->report);
	slv_work_free(w);
}

enum slv_status
slv_work_start(struct slv_work *w)
{
	const struct slv_options *opt = w->opt;
	bool donor = opt->donor != NULL && w->job == SLV_JOB_REPAIR;

	w->report = slv_calloc(1, sizeof(*w->report));
	if (w->report == NULL)
		return SLV_E_NOMEM;
	if (opt->timeline)
		w->report->timeline =
		    slv_calloc(1, sizeof(*w->report->timeline));
	w->meter.fn = opt->on_progress;
	w->meter.ctx = opt->on_progress_ctx;
	w->err = &w->report->err;
	if (opt->baseline != NULL)
		w->report->against.verdict = SLV_BASELINE_UNKNOWN;
	w->report->job = w->job;
	slv_report_sign(w->report, opt->maker);
	w->report->file = slv_strdup(w->files[0]);
	if (donor)
		w->report->donor.file = slv_strdup(opt->donor);
	w->audit.state = SLV_STATE_FAILED;
	if (w->report->file != NULL && (!donor || w->report->donor.file != NULL)
	    && (!opt->timeline || w->report->timeline != NULL))
		return SLV_OK;
	slv_report_free(w->report);
	return SLV_E_NOMEM;
}

static enum slv_status
run(enum slv_job job, const char *const *files, size_t n,
    const struct slv_options *opt, struct slv_report **out)
{
	struct slv_work w = {
		.job = job,
		.opt = slv_options_of(opt),
		.files = files,
		.n_files = n,
	};

	*out = NULL;
	opt = w.opt;
	SLV_TRY(slv_work_start(&w));
	if (job == SLV_JOB_MERGE || (job == SLV_JOB_REPAIR && opt->in_place))
		slv_options_no_supply(opt, w.err);
	if (slv_report_writes(w.report) && w.err->code == SLV_OK)
		slv_target_path(files[0], opt, &w.target, w.err);
	/* Another process can remove directories that do not exist yet when
	 * they are made. */
	if (w.target != NULL && !opt->in_place && !opt->make_dirs)
		slv_site_open(&w.at, w.target, w.err);
	if (job == SLV_JOB_REPAIR && opt->in_place && !opt->dry_run
	    && w.err->code == SLV_OK)
		slv_inplace_recover(w.report, opt);
	if (w.err->code == SLV_OK && slv_work_open(&w) == SLV_OK)
		(void)slv_work_audit(&w);
	slv_work_finish(&w);
	*out = w.report;
	return w.err->code;
}

enum slv_status
slv_verify(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	return run(SLV_JOB_VERIFY, &file, 1, opt, out);
}

enum slv_status
slv_info(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	return run(SLV_JOB_INFO, &file, 1, opt, out);
}

enum slv_status
slv_list(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	return run(SLV_JOB_LIST, &file, 1, opt, out);
}

enum slv_status
slv_repair(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	return run(SLV_JOB_REPAIR, &file, 1, opt, out);
}

enum slv_status
slv_merge(const char *const *files, size_t n, const struct slv_options *opt,
    struct slv_report **out)
{
	return run(SLV_JOB_MERGE, files, n, opt, out);
}
