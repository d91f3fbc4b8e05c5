/* extract_job.c - slv_extract(): a sound log with only some of the records.
 *
 *	open -> audit -> put the wanted records together -> repair that -> compare
 *	every record with the one that was wanted -> publish
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/format/cutting.h"
#include "io/write/temp.h"
#include "job/extract/cut.h"
#include "job/extract/windows.h"
#include "job/output/outname.h"
#include "job/output/output.h"
#include "job/output/target.h"
#include "job/read/filter.h"

/* An extraction while it runs. */
struct extract {
	const struct slv_options *opt;
	struct slv_log *log;
	struct slv_log *made; /* owned; what is written, repaired */
	struct slv_exported what;
	uint64_t *seen; /* owned; records so far, by channel */
	enum slv_outcome outcome;
};

static bool
is_split(const struct slv_options *opt)
{
	return opt->split_size > 0 || opt->split_duration > 0;
}

/* What makes no sense is said before the log is read. */
static enum slv_status
check(const struct slv_options *opt, struct slv_err *err)
{
	struct slv_filter filter = { .n = 0 };
	enum slv_status st = slv_filter_choose(&filter, &opt->choice, err);

	slv_filter_free(&filter);
	SLV_TRY(st);
	if (opt->choice.order != NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "an extract has the order of its log");
	if (is_split(opt) && opt->output != NULL
	    && strcmp(opt->output, "-") == 0)
		return slv_fail(err, SLV_E_USAGE,
		    "several files cannot be written to standard output");
	return opt->output != NULL || opt->output_dir != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_USAGE,
	        "an extract needs a name or a folder to write to");
}

static enum slv_status
find_target(struct slv_work *w, const struct slv_options *opt)
{
	SLV_TRY(slv_target_path(w->files[0], opt, &w->target, w->err));
	return strcmp(w->target, "-") == 0 || opt->make_dirs
	    ? SLV_OK
	    : slv_site_open(&w->at, w->target, w->err);
}

/* The format may not be able to do what is wanted. */
static enum slv_status
check_format(const struct extract *x)
{
	const struct slv_format *f = x->log->scan->format;
	const struct slv_selection *choice = &x->opt->choice;

	if (f->cutting == NULL)
		return slv_fail(&x->log->err, SLV_E_USAGE,
		    "%s: extract does not know this format yet (%s); export "
		    "writes its records as MCAP",
		    x->log->name, f->title);
	if (f->cutting->whole
	    && choice->include.n + choice->exclude.n + choice->type.n > 0)
		return slv_fail(&x->log->err, SLV_E_USAGE,
		    "%s: a log of this format (%s) is extracted by time alone, "
		    "because its frames are replayed whole",
		    x->log->name, f->title);
	return SLV_OK;
}

/* Repair what was put together: index, statistics and digest are made of it. */
static enum slv_status
repair(struct extract *x, struct slv_source *source)
{
	struct slv_err *err = &x->log->err;
	/* It was judged in its own log: nothing of it is doubted once more,
	 * because other records are gone. */
	const struct slv_options how = {
		.limits = x->opt->limits,
		.keep = SLV_KEEP_SUSPECT,
		.time_window = UINT64_MAX / 4,
		.map_name = x->opt->map_name,
		.no_annotate = true,
		.no_effort = true,
		.cancel = x->opt->cancel,
		.on_progress = x->opt->on_progress,
		.on_progress_ctx = x->opt->on_progress_ctx,
	};

	x->made = slv_log_new(x->log->name, &how);
	if (x->made == NULL) {
		slv_source_close(source);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	/* Its output is written, not only read. */
	x->made->work.reads = false;
	if (slv_log_audit(x->made, source) != SLV_OK) {
		*err = x->made->err;
		return err->code;
	}
	return x->made->scan != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_REFUSED,
	        "%s: there is nothing to extract: no record is wanted",
	        x->log->name);
}

static bool
is_same(const struct extract *x, const struct slv_record *a,
    const struct slv_record *b)
{
	const struct slv_channel_info *of_a =
	    slv_log_channel(x->log, a->channel);
	const struct slv_channel_info *of_b =
	    slv_log_channel(x->made, b->channel);
	const struct slv_cutting *how = x->log->scan->format->cutting;
	bool timed = how->dated_by_record
	    || (a->log_ns == b->log_ns && a->publish_ns == b->publish_ns);

	return strcmp(of_a->name, of_b->name) == 0
	    && strcmp(of_a->type, of_b->type) == 0
	    && of_a->schema_len == of_b->schema_len && timed
	    && (a->flags & SLV_RECORD_NUMBERED)
	    == (b->flags & SLV_RECORD_NUMBERED)
	    && (!(a->flags & SLV_RECORD_NUMBERED) || a->sequence == b->sequence)
	    && a->len == b->len
	    && (memcmp(a->data, b->data, a->len) == 0
	        || (how->ends_in != NULL
	            && how->ends_in(a->data, b->data, a->len)));
}

/* Compare every record with the one that was wanted. */
static enum slv_status
compare(struct extract *x, struct slv_reader *wanted, struct slv_reader *got)
{
	const struct slv_record *a, *b;

	for (;;) {
		a = slv_reader_next(wanted);
		b = slv_reader_next(got);
		SLV_TRY(x->log->err.code);
		if (x->made->err.code != SLV_OK) {
			x->log->err = x->made->err;
			return x->log->err.code;
		}
		if (a == NULL && b == NULL)
			return SLV_OK;
		if (a == NULL || b == NULL || !is_same(x, a, b))
			return slv_fail(&x->log->err, SLV_E_REFUSED,
			    "%s: a sound log cannot have the records that are "
			    "wanted from number %llu on, because they are in "
			    "this log twice, or of a channel that it does not "
			    "declare; nothing was published; salvor export "
			    "can write them",
			    x->log->name, (unsigned long long)x->what.records);
		x->what.channels += x->seen[a->channel]++ == 0;
		x->what.records++;
	}
}

static enum slv_status
prove(struct extract *x, struct slv_reader *wanted)
{
	struct slv_err *err = &x->log->err;
	struct slv_reader *got = NULL;

	if (slv_reader_open(x->made, &got) != SLV_OK)
		*err = x->made->err;
	else
		(void)compare(x, wanted, got);
	slv_reader_close(got);
	x->what.format = x->log->scan->format->name;
	return err->code;
}

static enum slv_status
publish(struct extract *x)
{
	struct slv_work *w = &x->log->work;
	struct slv_report *r = w->report;
	const struct slv_plan *plan = &x->made->work.audit.plan;
	struct slv_output o = {
		.path = w->target,
		.at = w->at.path != NULL ? &w->at : NULL,
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
	enum slv_status st;

	x->what.files++;
	r->exported = x->what;
	/* Of several files the report names the last one. */
	free(r->output);
	free(r->sidecar);
	r->sidecar = NULL;
	r->output = w->target;
	w->target = NULL;
	r->output_size = plan->size;
	memcpy(r->output_digest, plan->whole, SLV_SHA1_SIZE);
	st = slv_work_sidecar(w, o.path, &sidecar, &line);
	if (sidecar.path != NULL)
		o.sidecar = &sidecar;
	if (st == SLV_OK)
		st = slv_output_publish(plan, &o, &r->outcome, &x->log->err);
	slv_sidecar_free(&sidecar);
	free(line);
	r->space_known = o.space.known;
	r->space_free = o.space.free;
	return st;
}

static enum slv_status
extract(struct extract *x, struct slv_reader *wanted)
{
	struct slv_source *source = NULL;
	const struct slv_filter *filter;
	char *dir;
	enum slv_status st;

	SLV_TRY(check_format(x));
	SLV_TRY(slv_reader_filter(wanted, &filter));
	dir = strcmp(x->log->work.target, "-") == 0
	    ? slv_strdup(x->opt->temp_dir != NULL ? x->opt->temp_dir : "/tmp")
	    : slv_temp_directory(x->log->work.target);
	if (dir == NULL)
		return slv_fail(&x->log->err, SLV_E_NOMEM, "out of memory");
	st = slv_cut(x->log, filter, dir, &source);
	free(dir);
	SLV_TRY(st);
	SLV_TRY(repair(x, source));
	SLV_TRY(prove(x, wanted));
	return publish(x);
}

/* The records that are chosen, to the target. */
static enum slv_status
extract_part(struct extract *x)
{
	struct slv_reader *wanted;

	SLV_TRY(slv_reader_open(x->log, &wanted));
	(void)extract(x, wanted);
	slv_reader_close(wanted);
	slv_log_close(x->made);
	x->made = NULL;
	return x->log->err.code;
}

/* The records of a span of time, to the target with a number in its name. */
static enum slv_status
extract_span(struct extract *x, const char *target, size_t number, int64_t from,
    int64_t to)
{
	const int64_t second = 1000000000;
	struct slv_work *w = &x->log->work;
	struct slv_selection *choice = &x->log->opt.choice;
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
	w->target = slv_outname_with(target, infix, NULL);
	if (w->target == NULL)
		return slv_fail(&x->log->err, SLV_E_NOMEM, "out of memory");
	if (w->at.path != NULL)
		w->at = slv_site_beside(&w->at, w->target);
	return extract_part(x);
}

/* One file after the other. */
static enum slv_status
extract_spans(struct extract *x)
{
	const struct slv_options *opt = x->opt;
	struct slv_work *w = &x->log->work;
	struct slv_windows spans = { .n = 0 };
	char *target = w->target;

	SLV_TRY(check_format(x));
	w->target = NULL;
	(void)slv_windows_find(&spans, x->log,
	    opt->split_duration * UINT64_C(1000000000), opt->split_size);
	if (x->log->err.code == SLV_OK && spans.n == 0)
		slv_fail(&x->log->err, SLV_E_REFUSED,
		    "%s: there is nothing to extract: no record is wanted",
		    x->log->name);
	for (size_t i = 0; x->log->err.code == SLV_OK && i < spans.n; i++)
		(void)extract_span(x, target, i, spans.at[i],
		    i + 1 < spans.n ? spans.at[i + 1] : spans.end);
	x->log->opt.choice = opt->choice;
	slv_windows_free(&spans);
	free(target);
	return x->log->err.code;
}

static enum slv_status
run(struct extract *x)
{
	struct slv_work *w = &x->log->work;

	SLV_TRY(check(x->opt, w->err));
	SLV_TRY(find_target(w, x->opt));
	SLV_TRY(slv_log_audit(x->log, NULL));
	/* If there is no log, or nothing of it is left, the state says so. */
	if (x->log->scan == NULL && !w->audit.planned)
		return SLV_OK;
	x->seen = slv_calloc(x->log->channels.n + 1, sizeof(*x->seen));
	if (x->seen == NULL)
		return slv_fail(w->err, SLV_E_NOMEM, "out of memory");
	return is_split(x->opt) ? extract_spans(x) : extract_part(x);
}

enum slv_status
slv_extract(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct slv_options how = *slv_options_of(opt);
	struct extract x = { .opt = &how };
	enum slv_status st;

	*out = NULL;
	if (how.choice.latched == NULL)
		how.choice.latched = "auto";
	x.log = slv_log_new(file, &how);
	if (x.log == NULL)
		return SLV_E_NOMEM;
	x.log->work.report->job = SLV_JOB_EXTRACT;
	(void)run(&x);
	if (x.log->work.err->code == SLV_OK)
		*x.log->work.err = x.log->err;
	slv_work_settle(&x.log->work);
	free(x.seen);
	*out = x.log->work.report;
	st = (*out)->err.code;
	x.log->work.report = NULL;
	slv_log_close(x.log);
	return st;
}
