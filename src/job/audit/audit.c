/* audit.c - judge one source: scan, plan, prove. */
#include "job/audit/audit.h"

#include "formats/formats.h"
#include "job/audit/begin.h"
#include "job/audit/proof.h"
#include "job/audit/restore.h"
#include "job/audit/suspect.h"
#include "job/audit/verdict.h"
#include "job/readings/reading.h"

/* Judge and prove the readings of the damaged log, the most speculative first,
 * until the plan of one comes out clean. */
static enum slv_status
prove_readings(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_tee *tee = opt->scan.tee;
	const char *objection, *first = NULL;
	bool possible = true;

	for (unsigned care = 0; possible; care++) {
		if (care > 0) {
			slv_verdict_forget(a, tee);
			tee = NULL;
			SLV_TRY(
			    slv_restore_careful(a, opt, care, &possible, err));
		}
		if (!possible)
			break;
		SLV_TRY(slv_verdict_of_plan(a, opt, err));
		if (!a->planned || !opt->prove || a->verified)
			return SLV_OK;
		SLV_TRY(slv_proof_know(a, tee, err));
		SLV_TRY(slv_proof_scan(a, opt, &objection, err));
		if (objection == NULL)
			return SLV_OK;
		first = first != NULL ? first : objection;
	}
	return slv_fail(err, SLV_E_BUG,
	    "%s: no planned repair would come out clean (%s); nothing was "
	    "written; please report this",
	    a->input->name, first);
}

static enum slv_status
plan_damaged(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	bool possible = a->plan.closed; /* there may be one already */

	if (!possible)
		SLV_TRY(slv_restore_plan(a, opt->effort, &possible, err));
	if (!possible)
		SLV_TRY(slv_restore_flip(a, opt, &possible, err));
	if (!possible) {
		slv_verdict_without_plan(a, false);
		return SLV_OK;
	}
	if (a->patched == NULL)
		SLV_TRY(slv_restore(a, opt, err));
	return prove_readings(a, opt, err);
}

/* Return true if the present scan is of the unchanged input. */
static bool
reads_input(const struct slv_audit *a)
{
	return a->patched == NULL && a->view.source == NULL;
}

static enum slv_status
plan_intact(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	slv_verdict_intact(a);
	if (!opt->prove)
		return SLV_OK;
	SLV_TRY(slv_plan_copy(&a->plan, 0, a->scan.source->size, err));
	SLV_TRY(slv_plan_seal(&a->plan, &a->hasher, err));
	if (!opt->unwritten)
		SLV_TRY(slv_proof_know(a, NULL, err));
	a->planned = true;
	a->verified = true; /* the scan itself has found it sound */
	return SLV_OK;
}

/* Judge what was read. */
static enum slv_status
judge(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	bool possible;

	if (s->format == NULL) {
		a->state = SLV_STATE_UNRECOGNISED;
		return SLV_OK;
	}
	a->assurance = s->checksummed ? SLV_BY_CHECKSUM : SLV_BY_STRUCTURE;
	if (!s->supported && opt->plan)
		SLV_TRY(slv_restore_flip(a, opt, &possible, err));
	if (!s->supported) {
		a->state = SLV_STATE_UNSUPPORTED;
		return SLV_OK;
	}
	if (slv_scan_is_sound(s) && reads_input(a))
		SLV_TRY(plan_intact(a, opt, err));
	else if (opt->plan)
		SLV_TRY(plan_damaged(a, opt, err));
	else if (slv_verdict_is_empty(a))
		SLV_TRY(slv_verdict_empty(a, err));
	else
		slv_verdict_without_plan(a, true);
	/* The corrected bytes may have been those without a checksum. */
	if (a->assurance == SLV_BY_STRUCTURE && s->checksummed)
		a->assurance = SLV_BY_CHECKSUM;
	if (a->state == SLV_STATE_INTACT && slv_problems_left(&s->problems) > 0)
		a->state = SLV_STATE_DAMAGED;
	SLV_TRY(slv_suspect_leaps(s, err));
	return slv_suspect_pages(a, err);
}

static enum slv_status
audit(struct slv_audit *a, struct slv_source *source,
    const struct slv_audit_options *asked, struct slv_err *err)
{
	struct slv_audit_options opt = *asked;

	*a = (struct slv_audit){
		.state = SLV_STATE_FAILED,
		.input = source,
		.read = source,
	};
	a->formats = opt.formats != NULL ? opt.formats : slv_formats;
	SLV_TRY(slv_begin(a, &opt, err));
	slv_plan_free(&a->plan);
	slv_plan_init(&a->plan, a->read, SLV_SHA1);
	a->plan.meter = opt.scan.meter;
	SLV_TRY(judge(a, &opt, err));
	return slv_reading_tell(a, err);
}

/* Return true if what was not read needs no change and is before everything that was
 * found: then nothing but its content is unknown. */
static bool
is_skim_enough(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;

	if (s->skimmed.bytes == 0)
		return true;
	if (slv_problems_total(&s->problems) != s->problems.n)
		return false;
	for (size_t i = 0; i < s->problems.n; i++) {
		if (s->problems.at[i].off < s->skimmed.end)
			return false;
	}
	return a->verified && slv_plan_unchanged(&a->plan) >= s->skimmed.end;
}

/* Note what was not read. */
static enum slv_status
tell_unread(struct slv_audit *a, struct slv_err *err)
{
	const struct slv_skimmed *k = &a->scan.skimmed;

	return k->bytes == 0
	    ? SLV_OK
	    : slv_scan_problem(&a->scan, &slv_core_problems[SLV_P_NOT_READ],
	        slv_view_at(&a->view, k->from), k->upto - k->from, k->bytes,
	        k->units, err);
}

enum slv_status
slv_audit_run(struct slv_audit *a, struct slv_source *source,
    const struct slv_audit_options *asked, struct slv_err *err)
{
	struct slv_audit_options opt = *asked;
	enum slv_status st = audit(a, source, &opt, err);

	if (!opt.scan.skim || (st != SLV_OK && st != SLV_E_BUG))
		return st;
	if (st == SLV_OK && is_skim_enough(a))
		return tell_unread(a, err);
	slv_audit_free(a);
	*err = (struct slv_err){ 0 };
	opt.scan.skim = false;
	return audit(a, source, &opt, err);
}

enum slv_status
slv_audit_require_end(struct slv_audit *a, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	if (s->end != SLV_END_UNKNOWN || a->state == SLV_STATE_UNRECOGNISED
	    || a->state == SLV_STATE_UNSUPPORTED)
		return SLV_OK;
	if (a->state == SLV_STATE_INTACT)
		a->state = SLV_STATE_DAMAGED;
	return slv_scan_problem(s, &slv_core_problems[SLV_P_END_REQUIRED],
	    slv_view_at(&a->view, s->logical_end), 0, 0, 0, err);
}

void
slv_audit_free(struct slv_audit *a)
{
	slv_hasher_free(&a->hasher);
	slv_hasher_free(&a->patched_hasher);
	slv_pages_free(&a->pages);
	slv_plan_free(&a->plan);
	slv_scan_free(&a->scan);
	slv_source_close(a->patched);
	slv_mends_free(&a->mends);
	slv_view_free(&a->view);
	slv_catalog_free(&a->of_input);
}
