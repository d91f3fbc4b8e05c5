/* rewrite.c - replace a file that describes logs and is none itself.
 *
 * It is a plan like any other, of one literal segment, so it is published like a
 * repaired log: complete or not at all, and in place with an undo record.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "io/names/site.h"
#include "io/sys.h"
#include "job/inplace/inplace_job.h"
#include "job/input/active.h"
#include "job/input/input.h"
#include "job/output/output.h"
#include "job/output/target.h"
#include "options/options.h"
#include "salvor_many.h"

/* The file as it is. */
struct rewriting {
	const struct slv_options *opt;
	struct slv_report *report; /* owned; its error is the job's */
	struct slv_audit audit;    /* only its plan, its hasher and a scan that
	                            * reads nothing, through */
	struct slv_window window;  /* ... this window */
	struct slv_source *source; /* owned */
	struct stat found, st;     /* by its name, and as it is open */
	bool exists;               /* ... as a regular file */
};

/* The user did not name the file itself: what a link to it shows could be any
 * file. */
static enum slv_status
look(struct rewriting *w, struct slv_err *err)
{
	bool any = slv_sys.look(AT_FDCWD, w->report->file, &w->found) == 0;

	w->exists = any && S_ISREG(w->found.st_mode);
	if (!any || w->exists || !w->opt->in_place)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is no regular file; nothing was changed; remove it, or write "
	    "to another directory, with -d",
	    w->report->file);
}

static enum slv_status
open_old(struct rewriting *w, struct slv_err *err)
{
	if (!w->exists)
		return slv_source_memory("", 0, &w->source, err);
	SLV_TRY(slv_source_file(w->report->file, &w->source, &w->st, err));
	if (!slv_site_same(&w->st, &w->found))
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced by another file; nothing was changed",
		    w->report->file);
	return slv_active_writer(w->source, err);
}

static enum slv_status
make_plan(
    struct rewriting *w, const char *text, size_t len, struct slv_err *err)
{
	struct slv_plan *plan = &w->audit.plan;

	w->audit.scan.source = w->source;
	w->audit.scan.window = &w->window;
	slv_plan_init(plan, w->source, SLV_SHA1);
	SLV_TRY(slv_hasher_init(
	    &w->audit.hasher, w->source, SLV_SHA1, w->opt->cancel, err));
	SLV_TRY(slv_plan_bytes(plan, text, len, err));
	SLV_TRY(slv_plan_seal(plan, &w->audit.hasher, err));
	return slv_plan_know(plan, &w->audit.hasher, NULL, NULL, err);
}

static enum slv_status
in_place(struct rewriting *w, struct slv_err *err)
{
	struct slv_inplace_job job = { .names = { .file = NULL } };
	enum slv_status st = slv_inplace_begin(
	    &job, w->report, w->opt, &w->audit, w->source, &w->st);

	if (st == SLV_OK)
		st = slv_inplace_end(&job, w->report, w->opt, NULL);
	slv_inplace_job_free(&job);
	*err = w->report->err;
	return st;
}

static enum slv_status
publish(struct rewriting *w, const char *path, struct slv_err *err)
{
	struct slv_output o = {
		.path = path,
		.input = &w->st,
		.original = w->exists ? w->source : NULL,
		.dry_run = w->opt->dry_run,
		.force = w->opt->force,
		.make_dirs = w->opt->output_dir != NULL && w->opt->make_dirs,
		.verify_written = w->opt->verify_written,
		.cancel = w->opt->cancel,
	};

	return slv_output_publish(&w->audit.plan, &o, &w->report->outcome, err);
}

/* An earlier repair in place may have been interrupted.  The text was made from what
 * that left, a part of the old one perhaps: it is not written. */
static enum slv_status
end_earlier(struct rewriting *w, struct slv_err *err)
{
	if (!w->exists)
		return SLV_OK;
	if (!w->opt->in_place || w->opt->dry_run)
		return slv_undo_check_finished(w->report->file, err);
	if (slv_inplace_recover(w->report, w->opt) != SLV_OK) {
		*err = w->report->err;
		return err->code;
	}
	if (!w->report->in_place.rolled_back)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: an earlier repair in place was interrupted, and is undone "
	    "now; "
	    "repair it again",
	    w->report->file);
}

static enum slv_status
run(struct rewriting *w, const char *text, size_t len, char **output,
    struct slv_err *err)
{
	const struct slv_options *opt = w->opt;

	SLV_TRY(look(w, err));
	SLV_TRY(end_earlier(w, err));
	SLV_TRY(open_old(w, err));
	SLV_TRY(make_plan(w, text, len, err));
	if (opt->in_place && !w->exists)
		*output = slv_strdup(w->report->file);
	else
		SLV_TRY(slv_target_path(w->report->file, opt, output, err));
	if (*output == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return opt->in_place && w->exists ? in_place(w, err)
	                                  : publish(w, *output, err);
}

enum slv_status
slv_rewrite(const char *file, const char *text, size_t len,
    const struct slv_options *opt, char **output, struct slv_err *err)
{
	struct rewriting w = { .opt = slv_options_of(opt) };

	*output = NULL;
	w.report = slv_calloc(1, sizeof(*w.report));
	if (w.report != NULL)
		w.report->file = slv_strdup(file);
	if (w.report == NULL || w.report->file == NULL) {
		slv_report_free(w.report);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	w.report->job = SLV_JOB_REPAIR;
	if (run(&w, text, len, output, err) != SLV_OK) {
		slv_free(*output);
		*output = NULL;
	}
	slv_plan_free(&w.audit.plan);
	slv_hasher_free(&w.audit.hasher);
	slv_source_close(w.source);
	slv_report_free(w.report);
	return err->code;
}
