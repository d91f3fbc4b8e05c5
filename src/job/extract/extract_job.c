/* extract_job.c - slv_extract(), slv_join(): a sound log with some of the records of one
 * log, or of several segments.
 *
 *	open -> audit -> put the wanted records together -> repair that -> compare
 *	every record with the one that was wanted -> publish
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/write/temp.h"
#include "job/extract/cut.h"
#include "job/extract/extract.h"
#include "job/extract/windows.h"
#include "job/output/outname.h"
#include "job/output/output.h"
#include "job/output/target.h"

static bool
is_split(const struct slv_options *opt)
{
	return opt->split_size > 0 || opt->split_duration > 0;
}

/* Refuse options that contradict each other before the logs are read. */
static enum slv_status
check(struct slv_extract *x)
{
	const struct slv_options *opt = x->opt;
	struct slv_err *err = &x->err;
	size_t n = x->from.n;
	struct slv_filter filter = { .n = 0 };
	enum slv_status st = slv_filter_choose(&filter, &opt->choice, err);

	x->sorts = filter.by_time;
	slv_filter_free(&filter);
	SLV_TRY(st);
	if (n > 1 && x->sorts)
		return slv_fail(err, SLV_E_USAGE,
		    "several logs are joined one after the other; the result "
		    "can then be sorted by time");
	if (is_split(opt) && opt->output != NULL
	    && strcmp(opt->output, "-") == 0)
		return slv_fail(err, SLV_E_USAGE,
		    "several files cannot be written to standard output");
	if (n > 1 && is_split(opt))
		return slv_fail(err, SLV_E_USAGE,
		    "several logs are joined into one, which can then be "
		    "split");
	if (n > 1)
		SLV_TRY(slv_options_no_supply(opt, err));
	if (n > 1 && opt->output == NULL)
		return slv_fail(err, SLV_E_USAGE,
		    "several logs that are joined need the name of one output");
	return opt->output != NULL || opt->output_dir != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_USAGE,
	        "an extract needs a name or a folder to write to");
}

static enum slv_status
find_target(struct slv_extract *x)
{
	const char *file = x->work->files[0];

	SLV_TRY(slv_target_path(file, x->opt, &x->target, &x->err));
	/* The audit of a log asks where its output goes. */
	for (size_t i = 0; i < x->from.n; i++) {
		struct slv_work *w = &x->from.at[i].log->work;

		w->target = slv_strdup(x->target);
		if (w->target == NULL)
			return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	}
	return strcmp(x->target, "-") == 0 || x->opt->make_dirs
	    ? SLV_OK
	    : slv_site_open(&x->at, x->target, &x->err);
}

/* Refuse what the format does not support. */
static enum slv_status
check_format(struct slv_extract *x)
{
	const struct slv_log *log = x->from.at[0].log;
	const struct slv_format *f = log->scan->format;
	const struct slv_selection *choice = &x->opt->choice;

	if (f->cutting == NULL)
		return slv_fail(&x->err, SLV_E_USAGE,
		    "%s: extract does not know this format yet (%s); export "
		    "writes its records as MCAP",
		    log->name, f->title);
	if (x->sorts && !f->cutting->sorts)
		return slv_fail(&x->err, SLV_E_USAGE,
		    "%s: the records of such a log (%s) are not sorted by "
		    "time, "
		    "because they depend on what precedes them; export can "
		    "sort "
		    "them",
		    log->name, f->title);
	if (f->cutting->whole
	    && choice->include.n + choice->exclude.n + choice->type.n > 0)
		return slv_fail(&x->err, SLV_E_USAGE,
		    "%s: a log of this format (%s) is extracted by time alone, "
		    "because its frames are replayed whole",
		    log->name, f->title);
	return SLV_OK;
}

static enum slv_status
publish(struct slv_extract *x)
{
	struct slv_work *w = x->work;
	struct slv_report *r = w->report;
	const struct slv_plan *plan = &x->made->work.audit.plan;
	struct slv_output o = {
		.path = x->target,
		.stream = &x->opt->stream,
		.at = x->at.path != NULL ? &x->at : NULL,
		.other = "-o or -d can put it elsewhere",
		.input = &w->st,
		.original = w->original,
		.dry_run = x->opt->dry_run,
		.force = x->opt->force,
		.make_dirs = x->opt->output_dir != NULL && x->opt->make_dirs,
		.verify_written = x->opt->verify_written,
		.cancel = x->opt->cancel,
	};
	struct slv_sidecar sidecar = { .log_at = o.at };
	char *line = NULL;

	x->what.files++;
	r->exported = x->what;
	/* Of several files the report names the last one. */
	slv_free(r->output);
	slv_free(r->sidecar);
	r->sidecar = NULL;
	r->output = x->target;
	x->target = NULL;
	r->output_size = plan->size;
	memcpy(r->output_digest, plan->whole, SLV_SHA1_SIZE);
	if (slv_work_sidecar(w, o.path, &sidecar, &line) != SLV_OK)
		x->err = *w->err;
	if (sidecar.path != NULL)
		o.sidecar = &sidecar;
	if (x->err.code == SLV_OK)
		(void)slv_output_publish(plan, &o, &r->outcome, &x->err);
	slv_sidecar_free(&sidecar);
	slv_free(line);
	r->space_known = o.space.known;
	r->space_free = o.space.free;
	return x->err.code;
}

static enum slv_status
extract(struct slv_extract *x)
{
	struct slv_source *source = NULL;
	char *dir;
	enum slv_status st;

	SLV_TRY(slv_segments_choose(&x->from, &x->err));
	dir = strcmp(x->target, "-") == 0
	    ? slv_strdup(x->opt->temp_dir != NULL ? x->opt->temp_dir : "/tmp")
	    : slv_temp_directory(x->target);
	if (dir == NULL)
		return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	st = slv_cut(&x->from, dir, &source, &x->err);
	slv_free(dir);
	SLV_TRY(st);
	SLV_TRY(slv_extract_prove(x, source));
	return publish(x);
}

/* Extract the chosen records to the target. */
static enum slv_status
extract_part(struct slv_extract *x)
{
	(void)extract(x);
	slv_segments_unchoose(&x->from);
	slv_log_close(x->made);
	x->made = NULL;
	return x->err.code;
}

/* Extract the records of a time span to the target with a number in its name. */
static enum slv_status
extract_span(struct slv_extract *x, const char *target, size_t number,
    int64_t from, int64_t to)
{
	const int64_t second = 1000000000;
	struct slv_selection *choice = &x->from.at[0].log->opt.choice;
	char start[40], end[40], infix[24];

	snprintf(start, sizeof(start), "%lld.%09lld",
	    (long long)(from / second), (long long)(from % second));
	snprintf(end, sizeof(end), "%lld.%09lld", (long long)(to / second),
	    (long long)(to % second));
	snprintf(infix, sizeof(infix), "_%zu", number);
	/* Nothing is latched before the log begins. */
	if (number > 0 || choice->start != NULL || choice->timespan != NULL)
		choice->start = start;
	choice->end = end;
	choice->timespan = NULL;
	x->target = slv_outname_with(target, infix, NULL);
	if (x->target == NULL)
		return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	if (x->at.path != NULL)
		x->at = slv_site_beside(&x->at, x->target);
	return extract_part(x);
}

/* Extract each time span to a file of its own. */
static enum slv_status
extract_spans(struct slv_extract *x)
{
	const struct slv_options *opt = x->opt;
	struct slv_log *log = x->from.at[0].log;
	struct slv_windows spans = { .n = 0 };
	char *target = x->target;

	x->target = NULL;
	if (slv_windows_find(&spans, log,
	        opt->split_duration * UINT64_C(1000000000), opt->split_size)
	    != SLV_OK)
		x->err = log->err;
	else if (spans.n == 0)
		slv_fail(&x->err, SLV_E_REFUSED,
		    "%s: there is nothing to extract: no record is wanted",
		    log->name);
	for (size_t i = 0; x->err.code == SLV_OK && i < spans.n; i++)
		(void)extract_span(x, target, i, spans.at[i],
		    i + 1 < spans.n ? spans.at[i + 1] : spans.end);
	log->opt.choice = opt->choice;
	slv_windows_free(&spans);
	slv_free(target);
	return x->err.code;
}

/* Is there something to take records from?  If there is no log, or nothing of it is
 * left, the state says so. */
static bool
is_there(const struct slv_extract *x)
{
	const struct slv_log *log = x->from.at[0].log;

	return x->from.n > 1 || log->scan != NULL || log->work.audit.planned;
}

/* A log that cannot be read is one that nothing can be taken from. */
static enum slv_status
check_readable(struct slv_extract *x)
{
	struct slv_log *log = x->from.at[0].log;

	if (log->scan != NULL)
		return SLV_OK;
	(void)slv_log_refuse(log);
	x->err = log->err;
	return x->err.code;
}

static enum slv_status
run(struct slv_extract *x)
{
	SLV_TRY(check(x));
	SLV_TRY(find_target(x));
	SLV_TRY(slv_segments_audit(&x->from, x->target, &x->err));
	if (!is_there(x))
		return SLV_OK;
	if (x->from.n > 1) {
		SLV_TRY(slv_segments_join(&x->from, &x->err));
		SLV_TRY(slv_extract_report(x));
	}
	SLV_TRY(check_readable(x));
	SLV_TRY(check_format(x));
	return is_split(x->opt) ? extract_spans(x) : extract_part(x);
}

/* The work that has the report. */
static enum slv_status
begin(struct slv_extract *x, const char *const *files, size_t n)
{
	SLV_TRY(slv_segments_new(&x->from, files, n, x->opt));
	x->work = &x->from.at[0].log->work;
	if (n == 1)
		return SLV_OK;
	x->own = (struct slv_work){
		.job = SLV_JOB_REPAIR,
		.opt = x->opt,
		.files = files,
		.n_files = n,
	};
	SLV_TRY(slv_work_start(&x->own));
	x->own.report->job = SLV_JOB_EXTRACT;
	x->work = &x->own;
	return SLV_OK;
}

/* The reports belong to the caller now. */
static struct slv_report *
take_report(struct slv_extract *x)
{
	struct slv_report *r = x->work->report;

	for (size_t i = 0; i < x->from.n; i++) {
		struct slv_work *w = &x->from.at[i].log->work;

		if (w->report == r || i < r->n_segments)
			w->report = NULL;
	}
	return r;
}

enum slv_status
slv_join(const char *const *files, size_t n, const struct slv_options *opt,
    struct slv_report **out)
{
	struct slv_options how = *slv_options_of(opt);
	struct slv_extract x = { .opt = &how };
	enum slv_status st = SLV_E_NOMEM;

	*out = NULL;
	if (how.choice.latched == NULL)
		how.choice.latched = "auto";
	if (begin(&x, files, n) == SLV_OK) {
		(void)run(&x);
		if (x.work->err->code == SLV_OK)
			*x.work->err = x.err;
		slv_work_settle(x.work);
		st = x.work->err->code;
		*out = take_report(&x);
	}
	slv_free(x.seen);
	slv_free(x.into);
	slv_free(x.target);
	slv_site_close(&x.at);
	slv_segments_free(&x.from);
	return st;
}

enum slv_status
slv_extract(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	return slv_join(&file, 1, opt, out);
}
