/* parts.c - write logs of other recordings in the input to files of their
 * own. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/read/part.h"
#include "job/output/split.h"
#include "job/work.h"
#include "options/options.h"

/* Repair the part of the input that is a log of another recording. */
static enum slv_status
repair_part(struct slv_work *w, struct slv_split *split, bool dry)
{
	struct slv_options opt = *w->opt;
	const char *file = w->report->file;
	struct slv_source *from = split->aside ? w->audit.input : w->audit.read;
	struct slv_work part = {
		.job = SLV_JOB_REPAIR,
		.opt = &opt,
		.part = true,
		.files = &file,
		.n_files = 1,
		.original = w->original,
		.st = w->st,
		.meter = w->meter,
	};

	slv_report_free(split->log);
	split->log = slv_calloc(1, sizeof(*split->log));
	part.report = split->log;
	part.target = slv_split_name(
	    w->report->file, w->target, split->off, split->suffix);
	if (part.report == NULL || part.target == NULL) {
		slv_free(part.target);
		return slv_fail(w->err, SLV_E_NOMEM, "out of memory");
	}
	opt.output = part.target;
	opt.output_dir = opt.save_dropped = NULL;
	opt.mapfile = opt.domain_mapfile = opt.plan_out = NULL;
	opt.split = opt.in_place = false;
	opt.undo_file = NULL;
	opt.dry_run = dry;
	part.err = &part.report->err;
	part.report->job = SLV_JOB_REPAIR;
	part.report->file = slv_strdup(w->report->file);
	if (part.report->file == NULL)
		slv_fail(part.err, SLV_E_NOMEM, "out of memory");
	else if (slv_source_part(
	             from, split->from, split->len, &part.source, part.err)
	    == SLV_OK)
		(void)slv_work_audit(&part);
	slv_work_finish(&part);
	if (part.err->code != SLV_OK)
		*w->err = *part.err;
	return w->err->code;
}

enum slv_status
slv_work_split(struct slv_work *w)
{
	struct slv_report *r = w->report;

	if (!w->opt->split || !slv_work_writes(w))
		return SLV_OK;
	if (strcmp(w->target, "-") == 0)
		return slv_fail(w->err, SLV_E_USAGE,
		    "--split needs an output file, not standard output");
	SLV_TRY(slv_split_find(r, &w->audit, w->err));
	for (size_t i = 0; i < r->n_splits; i++)
		SLV_TRY(repair_part(w, &r->splits[i], true));
	for (size_t i = 0; i < r->n_splits && !w->opt->dry_run; i++)
		SLV_TRY(repair_part(w, &r->splits[i], false));
	return SLV_OK;
}
