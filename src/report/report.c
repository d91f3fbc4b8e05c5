/* report.c - a report in one word, and the names of such words. */
#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum slv_state
slv_report_state(const struct slv_report *r)
{
	return r->state;
}

enum slv_assurance
slv_report_assurance(const struct slv_report *r)
{
	return r->assurance;
}

enum slv_status
slv_report_status(const struct slv_report *r)
{
	return r->err.code;
}

bool
slv_report_unfinished(const struct slv_report *r)
{
	return r->unfinished;
}

const struct slv_err *
slv_report_error(const struct slv_report *r)
{
	return &r->err;
}

enum slv_policy_verdict
slv_report_policy(const struct slv_report *r)
{
	return r->policy;
}

enum slv_baseline_verdict
slv_report_baseline(const struct slv_report *r)
{
	return r->against.verdict;
}

const char *
slv_report_looks_like(const struct slv_report *r)
{
	return r->stranger != NULL ? r->stranger->id : NULL;
}

const struct slv_problem_info *
slv_report_obstacle(const struct slv_report *r)
{
	for (size_t i = 0; i < r->n_problems; i++) {
		const struct slv_problem_info *row = r->problems[i].info;

		if (row->remedy == SLV_RESEAL || row->remedy == SLV_REFUSE)
			return row;
	}
	return NULL;
}

bool
slv_report_needs_reseal(const struct slv_report *r)
{
	const struct slv_problem_info *row = slv_report_obstacle(r);

	return r->state == SLV_STATE_DAMAGED && !r->repairable && row != NULL
	    && row->remedy == SLV_RESEAL;
}

void
slv_report_sign(struct slv_report *r, const struct slv_maker *maker)
{
	r->maker = maker;
	r->made_at = maker != NULL && maker->time >= 0 ? maker->time
	                                               : (int64_t)time(NULL);
}

bool
slv_report_is_resealed(const struct slv_report *r)
{
	return r->state == SLV_STATE_LOSSY && r->contradicted;
}

bool
slv_report_has_history(const struct slv_report *r)
{
	return r->history.line != NULL || r->history.noted;
}

void
slv_report_free(struct slv_report *r)
{
	if (r == NULL)
		return;
	slv_facts_free(&r->facts);
	for (size_t i = 0; i < r->n_copies; i++)
		slv_free(r->copies[i].file);
	slv_free(r->copies);
	for (size_t i = 0; i < r->n_segments; i++)
		slv_report_free(r->segments[i]);
	slv_free(r->segments);
	slv_free(r->added.file);
	slv_free(r->donor.file);
	for (size_t i = 0; i < r->n_siblings; i++)
		slv_free(r->siblings[i].file);
	slv_free(r->siblings);
	slv_free(r->backup.file);
	slv_free(r->backup.target);
	slv_free(r->problems);
	for (size_t i = 0; i < r->n_violations; i++) {
		slv_free(r->violations[i].rule);
		slv_free(r->violations[i].channel);
	}
	slv_free(r->violations);
	slv_ranges_free(&r->against.ranges);
	slv_buf_free(&r->sums);
	slv_gap_list_free(&r->gaps);
	slv_tiles_free(&r->tiles);
	slv_free(r->timeline);
	slv_free(r->plan);
	slv_free(r->target);
	slv_free(r->wanted_target);
	slv_free(r->decoded);
	slv_free(r->output);
	slv_free(r->sidecar);
	slv_free(r->dropped.dir);
	slv_free(r->undo_trouble);
	slv_free(r->in_place.record);
	slv_free(r->in_place.forgotten);
	slv_free(r->in_place.unsaid);
	slv_ranges_free(&r->in_place.missing);
	for (size_t i = 0; i < r->n_splits; i++)
		slv_report_free(r->splits[i].log);
	slv_free(r->splits);
	slv_free(r->others);
	slv_free(r->history.line);
	slv_free(r->history.file);
	slv_free(r->history_path);
	slv_free(r->spool);
	slv_free(r->file);
	slv_free(r);
}

bool
slv_report_is_of_file(const struct slv_report *r)
{
	return strcmp(r->file, "-") != 0 && !r->served;
}

bool
slv_report_writes(const struct slv_report *r)
{
	return slv_report_repairs(r) || slv_report_exports(r);
}

bool
slv_report_exports(const struct slv_report *r)
{
	return r->job == SLV_JOB_EXPORT || r->job == SLV_JOB_EXTRACT;
}

bool
slv_report_repairs(const struct slv_report *r)
{
	return r->job == SLV_JOB_REPAIR || r->job == SLV_JOB_MERGE;
}

bool
slv_report_open_end(const struct slv_report *r)
{
	bool judged = r->state == SLV_STATE_INTACT
	    || r->state == SLV_STATE_REPAIRED || r->state == SLV_STATE_LOSSY
	    || r->state == SLV_STATE_DAMAGED;

	return judged && !r->unfinished && r->job != SLV_JOB_UNDO
	    && r->end == SLV_END_UNKNOWN;
}

double
slv_report_percent(const struct slv_report *r)
{
	double tenths = 1000.0 * (double)r->size / (double)r->facts.expected;

	return (double)(uint64_t)tenths / 10;
}

uint64_t
slv_report_needs(const struct slv_report *r)
{
	if (r->job == SLV_JOB_UNDO)
		return r->in_place.cut;
	return r->in_place.record != NULL
	    ? r->in_place.record_size + r->in_place.appended
	    : r->output_size;
}

const char *
slv_report_advice(const struct slv_report *r)
{
	if (r->state == SLV_STATE_ACTIVE)
		return "Run salvor again when its writer has closed it; or "
		       "copy it, and repair the copy.";
	if (r->undo_trouble != NULL)
		return r->undo_trouble;
	if (r->unfinished)
		return "\"salvor undo\" gives the file back as it was before "
		       "that repair; \"salvor repair --in-place\" does the "
		       "same and starts again.";
	if (r->wanted != NULL)
		return r->wanted->advice;
	return r->stranger != NULL ? r->stranger->advice : NULL;
}

const char *
slv_state_name(enum slv_state state)
{
	switch (state) {
	case SLV_STATE_INTACT: return "intact";
	case SLV_STATE_INDEXED: return "indexed";
	case SLV_STATE_REPAIRED: return "repaired";
	case SLV_STATE_LOSSY: return "lossy";
	case SLV_STATE_DAMAGED: return "damaged";
	case SLV_STATE_UNRECOVERABLE: return "unrecoverable";
	case SLV_STATE_UNRECOGNISED: return "unrecognised";
	case SLV_STATE_UNSUPPORTED: return "unsupported";
	case SLV_STATE_ACTIVE: return "active";
	case SLV_STATE_CANCELLED: return "cancelled";
	case SLV_STATE_FAILED: return "failed";
	}
	return "?";
}

const char *
slv_baseline_name(enum slv_baseline_verdict verdict)
{
	switch (verdict) {
	case SLV_BASELINE_NONE: return "none";
	case SLV_BASELINE_UNKNOWN: return "unknown";
	case SLV_BASELINE_SAME: return "same";
	case SLV_BASELINE_DIFFERS: return "differs";
	case SLV_BASELINE_CHANGED: return "changed";
	}
	return "?";
}

const char *
slv_outcome_name(enum slv_outcome outcome)
{
	switch (outcome) {
	case SLV_OUT_NONE: return "none";
	case SLV_OUT_PLANNED: return "planned";
	case SLV_OUT_WRITTEN: return "written";
	case SLV_OUT_ALREADY: return "already";
	}
	return "?";
}

const char *
slv_severity_name(enum slv_severity severity)
{
	switch (severity) {
	case SLV_NOTE: return "note";
	case SLV_WARNING: return "warning";
	case SLV_ERROR: return "error";
	case SLV_VIOLATION: return "violation";
	}
	return "?";
}

const char *
slv_remedy_name(enum slv_remedy remedy)
{
	switch (remedy) {
	case SLV_LEAVE: return "leave";
	case SLV_DROP: return "drop";
	case SLV_REBUILD: return "rebuild";
	case SLV_RESEAL: return "reseal";
	case SLV_REFUSE: return "refuse";
	}
	return "?";
}

const char *
slv_risk_name(enum slv_risk risk)
{
	switch (risk) {
	case SLV_RISK_NONE: return "none";
	case SLV_RISK_DESCRIPTION: return "description";
	case SLV_RISK_UNPROVEN: return "unproven";
	case SLV_RISK_LOST: return "lost";
	}
	return "?";
}

const char *
slv_version(void)
{
	return PACKAGE_VERSION;
}

uint32_t
slv_version_number(void)
{
	return SALVOR_VERSION_NUMBER;
}
