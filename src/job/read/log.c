/* log.c - a log that is open for reading records. */
#include "job/read/log.h"

#include <stdlib.h>

#include "base/mem.h"
#include "job/input/digests.h"
#include "job/input/input.h"

struct slv_log *
slv_log_new(const char *name, const struct slv_options *options)
{
	struct slv_log *log = slv_calloc(1, sizeof(*log));

	if (log == NULL)
		return NULL;
	log->opt = *slv_options_of(options);
	log->opt.output = log->opt.output_dir = NULL;
	log->opt.mapfile = log->opt.save_dropped = log->opt.plan_out = NULL;
	log->opt.in_place = log->opt.split = false;
	log->opt.annotate = false;
	log->opt.dry_run = true;
	log->name = slv_strdup(name);
	log->files[0] = log->name;
	log->work.job = SLV_JOB_REPAIR;
	log->work.reads = true;
	log->work.opt = &log->opt;
	log->work.files = log->files;
	log->work.n_files = 1;
	if (log->name != NULL && slv_work_start(&log->work) == SLV_OK)
		return log;
	slv_free(log->name);
	slv_free(log);
	return NULL;
}

/* Scan the output of the plan: the driver then knows it like any other log.  The
 * proof has found it sound. */
static enum slv_status
scan_output(struct slv_log *log)
{
	const struct slv_audit *a = &log->work.audit;
	const struct slv_format *const formats[] = { a->scan.format, NULL };
	const struct slv_scan_options how = {
		.limits = a->scan.opt.limits,
		.time_window = a->scan.opt.time_window,
		.settings = a->scan.opt.settings,
		.no_digest = true,
		.cancel = a->scan.opt.cancel,
		.meter = a->scan.opt.meter,
	};

	SLV_TRY(slv_plan_source(&a->plan, &log->out, &log->err));
	SLV_TRY(slv_scan_run(&log->of_out, log->out, formats, &how, &log->err));
	if (log->of_out.format == NULL || !slv_scan_is_sound(&log->of_out))
		return slv_fail(&log->err, SLV_E_BUG,
		    "%s: the repaired log is not sound; please report this",
		    log->name);
	log->scan = &log->of_out;
	return SLV_OK;
}

/* Return true if a repair would write something, of which records can be read. */
static bool
is_readable(const struct slv_log *log)
{
	const struct slv_audit *a = &log->work.audit;

	return a->planned && a->scan.format != NULL
	    && a->scan.format->records != NULL;
}

/* Let the scan that readers use be of what a repair would write. */
static enum slv_status
choose_scan(struct slv_log *log)
{
	struct slv_audit *a = &log->work.audit;

	if (!slv_plan_is_identity(&a->plan) || a->patched != NULL)
		return scan_output(log);
	log->scan = &a->scan;
	return SLV_OK;
}

static enum slv_status
audit(struct slv_log *log)
{
	struct slv_work *w = &log->work;

	if (slv_work_open(w) == SLV_OK)
		(void)slv_work_audit(w);
	slv_work_tell(w);
	/* What an earlier repair has lost is not in the log: whoever writes its
	 * records elsewhere has to say it. */
	if (w->err->code == SLV_OK && !w->part) {
		(void)slv_digest_history(
		    w->report, &w->audit, w->files[0], &w->st, w->err);
		slv_work_settle(w);
	}
	log->err = *w->err;
	if (log->err.code != SLV_OK || !is_readable(log))
		return log->err.code;
	SLV_TRY(choose_scan(log));
	SLV_TRY(slv_channels_list(&log->channels, log->scan, &log->err));
	return slv_origins_find(
	    &log->origins, w->report, log->scan->source->size, &log->err);
}

enum slv_status
slv_log_audit(struct slv_log *log, struct slv_source *source)
{
	log->work.source = source;
	log->work.part = source != NULL;
	if (audit(log) != SLV_OK)
		log->scan = NULL;
	slv_work_blame(&log->work, &log->err);
	return log->err.code;
}

enum slv_status
slv_log_open(
    const char *path, const struct slv_options *options, struct slv_log **out)
{
	*out = slv_log_new(path, options);
	return *out == NULL ? SLV_E_NOMEM : slv_log_audit(*out, NULL);
}

enum slv_status
slv_log_refuse(struct slv_log *log)
{
	const struct slv_audit *a = &log->work.audit;
	const struct slv_wanted *wanted = a->scan.wanted;

	if (a->planned && a->scan.format != NULL)
		return slv_fail(&log->err, SLV_E_REFUSED,
		    "%s: salvor reads no records of this format (%s)",
		    log->name, a->scan.format->title);
	if (wanted != NULL)
		return slv_fail(&log->err, SLV_E_REFUSED,
		    "%s: cannot be read without an option that a repair "
		    "needs, too: %s",
		    log->name, wanted->option);
	return slv_fail(&log->err, SLV_E_REFUSED, "%s: %s", log->name,
	    a->scan.format == NULL ? "is not a log that salvor knows"
	        : a->state == SLV_STATE_UNSUPPORTED
	        ? "is of a version that salvor does not read"
	        : "holds nothing that can be recovered");
}

void
slv_log_close(struct slv_log *log)
{
	if (log == NULL)
		return;
	slv_channels_free(&log->channels);
	slv_origins_free(&log->origins);
	slv_scan_free(&log->of_out);
	slv_source_close(log->out);
	slv_work_free(&log->work);
	slv_report_free(log->work.report);
	slv_free(log->name);
	slv_free(log);
}

enum slv_status
slv_log_status(const struct slv_log *log)
{
	return log->err.code;
}

const char *
slv_log_error(const struct slv_log *log)
{
	return log->err.text;
}

const struct slv_report *
slv_log_report(const struct slv_log *log)
{
	return log->work.report;
}

uint32_t
slv_log_channels(const struct slv_log *log)
{
	return (uint32_t)log->channels.n;
}

const struct slv_channel_info *
slv_log_channel(const struct slv_log *log, uint32_t channel)
{
	return channel < log->channels.n ? &log->channels.at[channel] : NULL;
}
