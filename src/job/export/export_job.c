/* export_job.c - slv_export(): one file, start to finish. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/names/directory.h"
#include "io/write/temp.h"
#include "job/text/csv.h"
#include "job/export/export.h"
#include "job/output/target.h"
#include "job/read/filter.h"

/* What makes no sense is said before the log is read. */
static enum slv_status
check_choice(const struct slv_options *opt, struct slv_err *err)
{
	struct slv_filter filter = { .n = 0 };
	enum slv_status st = slv_filter_choose(&filter, &opt->choice, err);

	slv_filter_free(&filter);
	return st;
}

/* A folder is made beside its name. */
static enum slv_status
check_folder(struct slv_work *w, const struct slv_options *opt)
{
	size_t n = strlen(w->target);
	unsigned made;
	char *dir;
	enum slv_status st;

	while (n > 1 && w->target[n - 1] == '/')
		w->target[--n] = '\0';
	if (strcmp(w->target, "-") == 0 || strcmp(w->target, "/") == 0)
		return slv_fail(w->err, SLV_E_USAGE,
		    "%s: CSV is a folder; name one", opt->output);
	if (opt->output_dir == NULL || !opt->make_dirs || opt->dry_run)
		return SLV_OK;
	dir = slv_temp_directory(w->target);
	if (dir == NULL)
		return slv_fail(w->err, SLV_E_NOMEM, "out of memory");
	st = slv_directory_make(dir, &made, w->err);
	slv_free(dir);
	return st;
}

/* Where it goes, and in which form. */
static enum slv_status
find_target(struct slv_work *w, const struct slv_options *opt,
    struct slv_export_form *form)
{
	struct slv_options to = *opt;

	SLV_TRY(slv_export_form(
	    opt->output != NULL ? opt->output : "", opt->to, form, w->err));
	if (opt->output == NULL && opt->output_dir == NULL)
		return slv_fail(w->err, SLV_E_USAGE,
		    "an export needs a name or a folder to write to");
	to.to = form->name;
	SLV_TRY(slv_target_path(w->files[0], &to, &w->target, w->err));
	if (form->writing == NULL)
		return check_folder(w, opt);
	if (strcmp(w->target, "-") == 0 || opt->make_dirs)
		return SLV_OK;
	return slv_site_open(&w->at, w->target, w->err);
}

static enum slv_status
write_records(struct slv_log *log, const struct slv_options *opt,
    const struct slv_export_form *form, struct slv_reader *reader)
{
	struct slv_work *w = &log->work;
	struct slv_report *r = w->report;
	struct slv_export_target target = {
		.path = w->target,
		.stream = &opt->stream,
		.input = &w->st,
		.at = w->at.path != NULL ? &w->at : NULL,
		.dry_run = opt->dry_run,
		.force = opt->force,
		.make_dirs = opt->output_dir != NULL && opt->make_dirs,
		.cancel = opt->cancel,
	};
	struct slv_export done;

	SLV_TRY(form->writing != NULL
	        ? slv_export_run(reader, form, &target, &done)
	        : slv_csv_export(log, &target, &done));
	r->exported = done.what;
	r->outcome = done.outcome;
	r->output = w->target;
	w->target = NULL;
	r->output_size = done.size;
	memcpy(r->output_digest, done.sha1, sizeof(done.sha1));
	return SLV_OK;
}

static enum slv_status
run(struct slv_log *log, const struct slv_options *opt)
{
	struct slv_export_form form;
	struct slv_work *w = &log->work;
	struct slv_reader *reader;

	SLV_TRY(check_choice(opt, w->err));
	SLV_TRY(find_target(w, opt, &form));
	SLV_TRY(slv_log_audit(log, NULL));
	/* If there is no log, or nothing of it is left, the state says so. */
	if (log->scan == NULL && !w->audit.planned)
		return SLV_OK;
	SLV_TRY(slv_reader_open(log, &reader));
	(void)write_records(log, opt, &form, reader);
	slv_reader_close(reader);
	return log->err.code;
}

enum slv_status
slv_export(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct slv_log *log = slv_log_new(file, opt);
	enum slv_status st;

	*out = NULL;
	if (log == NULL)
		return SLV_E_NOMEM;
	log->work.report->job = SLV_JOB_EXPORT;
	(void)run(log, slv_options_of(opt));
	if (log->work.err->code == SLV_OK)
		*log->work.err = log->err;
	slv_work_settle(&log->work);
	*out = log->work.report;
	st = (*out)->err.code;
	log->work.report = NULL;
	slv_log_close(log);
	return st;
}
