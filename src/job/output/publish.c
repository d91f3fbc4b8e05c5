/* publish.c - write the output, with its report next to it. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "job/inplace/inplace_job.h"
#include "job/input/digests.h"
#include "job/output/output.h"
#include "job/plan/plan_file.h"
#include "job/work.h"
#include "report/text/trim.h"

const struct slv_plan *
slv_work_plan(const struct slv_work *w)
{
	return w->filled.any ? &w->filled.audit.plan : &w->audit.plan;
}

bool
slv_work_writes(const struct slv_work *w)
{
	return w->audit.planned
	    && (!slv_audit_is_sound(&w->audit) || w->opt->output != NULL
	        || (w->opt->output_dir != NULL && w->opt->copy_intact));
}

/* Return true if the output, a file of ours, lacks records, or may have lacked
 * its end: now, or when its input was made. */
static bool
is_wanting(const struct slv_work *w)
{
	/* What one of several logs notes is not in the head of the output. */
	if (w->report->n_segments > 0 && slv_report_has_history(w->report))
		return true;
	return w->audit.state == SLV_STATE_LOSSY
	    || (w->audit.state == SLV_STATE_REPAIRED
	        && w->audit.scan.end == SLV_END_UNKNOWN)
	    || (w->report->history.line != NULL
	        && (w->job == SLV_JOB_REPAIR
	            || slv_plan_is_identity(slv_work_plan(w))));
}

enum slv_status
slv_work_sidecar(
    struct slv_work *w, const char *path, struct slv_sidecar *s, char **line)
{
	struct slv_report *r = w->report;

	if (w->opt->no_sidecar || !is_wanting(w) || !slv_output_is_ours(path))
		return SLV_OK;
	r->sidecar = slv_sidecar_name(path);
	r->outcome = SLV_OUT_WRITTEN;
	/* What an earlier repair said about these bytes is complete; an extract
	 * has others. */
	if (r->history.line != NULL && !r->history.changed
	    && !slv_report_exports(r) && w->audit.state != SLV_STATE_LOSSY)
		*line = slv_strdup(r->history.line);
	else if (r->sidecar != NULL)
		*line = slv_report_json(r);
	r->outcome = SLV_OUT_NONE;
	*line = slv_report_trim(*line, SLV_SIDECAR_LINE);
	if (r->sidecar == NULL || *line == NULL)
		return slv_fail(w->err, SLV_E_NOMEM, "out of memory");
	s->path = r->sidecar;
	s->line = *line;
	if (w->original != NULL && S_ISREG(w->st.st_mode)) {
		s->like = &w->st;
		s->original = w->original;
	}
	s->claim.size = r->output_size;
	s->claim.from = r->output_from;
	memcpy(s->claim.sha1, r->output_digest, sizeof(s->claim.sha1));
	return SLV_OK;
}

static enum slv_status
publish_in_place(struct slv_work *w)
{
	struct slv_inplace_job job = { .names = { .file = NULL } };
	struct slv_sidecar sidecar = { 0 };
	struct slv_report *r = w->report;
	char *line = NULL;
	enum slv_status st =
	    slv_inplace_begin(&job, r, w->opt, &w->audit, w->source, &w->st);

	if (st == SLV_OK)
		st = slv_work_sidecar(w, r->output, &sidecar, &line);
	if (st == SLV_OK)
		st = slv_plan_file_publish(w, line);
	sidecar.log_at = &job.names.file_at;
	if (st == SLV_OK)
		st = slv_inplace_end(
		    &job, r, w->opt, sidecar.path != NULL ? &sidecar : NULL);
	slv_sidecar_free(&sidecar);
	slv_free(line);
	slv_inplace_job_free(&job);
	return st;
}

/* Advice if the output does not fit. */
static const char *
elsewhere(const struct slv_work *w)
{
	if (w->job != SLV_JOB_REPAIR || !slv_report_is_of_file(w->report))
		return "-o can put it elsewhere";
	return "-o or -d can put it elsewhere, and --in-place makes no copy";
}

static struct slv_output
output_of(const struct slv_work *w, const char *path)
{
	return (struct slv_output){
		.path = path,
		.stream = &w->opt->stream,
		.at = &w->at,
		.other = elsewhere(w),
		.input = &w->st,
		.original = w->original,
		.dry_run = w->opt->dry_run,
		.force = w->opt->force,
		.make_dirs = w->opt->output_dir != NULL && w->opt->make_dirs,
		.verify_written = w->opt->verify_written,
		.cancel = w->opt->cancel,
	};
}

enum slv_status
slv_work_begin(void *work, struct slv_sink **out, struct slv_err *err)
{
	const struct slv_work *w = work;
	struct slv_output o = output_of(w, w->target);

	return slv_output_open(&o, w->source->size, out, err);
}

/* What was written before the plan was known, as far as it is the output. */
static void
take_early(struct slv_work *w, struct slv_output *o)
{
	const struct slv_audit *a = &w->audit;
	uint64_t upto = slv_min64(slv_plan_prefix(&a->plan), w->tee.n);

	if (slv_work_plan(w) != &a->plan)
		return;
	if (a->written)
		o->from = &a->plan.whole_mark;
	else if (a->patched == NULL)
		o->from = slv_hasher_before(&a->hasher, upto);
	else
		return;
	o->early = slv_tee_take(&w->tee, o->from->off);
	if (o->early == NULL)
		o->from = NULL;
}

static enum slv_status
publish_output(struct slv_work *w)
{
	struct slv_report *r = w->report;
	struct slv_output o = output_of(w, r->output);
	struct slv_sidecar sidecar = { 0 };
	char *line = NULL;
	enum slv_status st;

	st = slv_work_sidecar(w, o.path, &sidecar, &line);
	if (st == SLV_OK)
		st = slv_plan_file_publish(w, line);
	if (st == SLV_OK)
		take_early(w, &o);
	sidecar.log_at = &w->at;
	if (sidecar.path != NULL)
		o.sidecar = &sidecar;
	if (st == SLV_OK)
		st = slv_output_publish(
		    slv_work_plan(w), &o, &r->outcome, w->err);
	slv_sidecar_free(&sidecar);
	slv_free(line);
	r->space_known = o.space.known;
	r->space_free = o.space.free;
	return st;
}

enum slv_status
slv_work_publish(struct slv_work *w)
{
	struct slv_report *r = w->report;

	if (!slv_work_writes(w))
		return slv_plan_file_publish(w, NULL);
	r->output = w->target;
	w->target = NULL;
	r->output_size = slv_work_plan(w)->size;
	r->output_from = slv_work_plan(w)->whole_from;
	memcpy(r->output_digest, slv_work_plan(w)->whole,
	    sizeof(r->output_digest));
	if (w->opt->sha256)
		SLV_TRY(slv_digest_output(
		    r, slv_work_plan(w), w->opt->cancel, w->err));
	return w->opt->in_place ? publish_in_place(w) : publish_output(w);
}
