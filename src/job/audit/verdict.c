/* verdict.c - the state of a log, and what confirms it. */
#include "job/audit/verdict.h"

#include "job/audit/annotate.h"
#include "job/audit/proof.h"
#include "job/audit/restore.h"

/* Return true if a repair requires a new digest over bytes that may be
 * wrong. */
static bool
needs_reseal(const struct slv_scan *s)
{
	for (size_t i = 0; i < s->problems.n_counts; i++) {
		if (s->problems.counts[i].info->remedy == SLV_RESEAL)
			return true;
	}
	return false;
}

/* Return true if the digest confirms the input as it is. */
static bool
confirms_input(const struct slv_audit *a)
{
	return a->patched == NULL && a->scan.seal.as_is >= SLV_SEAL_FIELD;
}

/* Return true if the digest confirms the input and nothing recorded is left out: the
 * plan then differs from the input only in derived parts. */
static bool
keeps_confirmed(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;
	const struct slv_catalog *c = &s->catalog;

	if (!confirms_input(a))
		return false;
	for (size_t i = 0; i < c->n && c->at[i].off < s->seal.off; i++) {
		if (c->at[i].fate != SLV_KEPT && c->at[i].fate != SLV_REBUILT)
			return false;
	}
	return true;
}

/* Return true if the plan leaves out what may have been recorded. */
static bool
leaves_out(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;

	return slv_restore_is_lossy(a) || s->absent
	    || s->catalog.sums[SLV_LOST] + s->catalog.sums[SLV_FOREIGN] > 0
	    || slv_view_foreign(&a->view) > 0;
}

/* Count the places at which joined copies differ: the unit there may be
 * wrong. */
static uint64_t
count_disputes(const struct slv_audit *a)
{
	uint64_t n = 0;

	for (size_t i = 0; i < a->view.n_why; i++)
		n += a->view.why[i].info->risk == SLV_RISK_UNPROVEN;
	return n;
}

/* What the log's own digest says about the plan.  A plan may leave out bytes of
 * a source that the digest confirms: only the plan's own digest proves it. */
static enum slv_status
weigh_digest(struct slv_audit *a, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	a->proven = slv_restore_matches(a);
	if (a->proven || keeps_confirmed(a))
		a->assurance = SLV_BY_DIGEST;
	if (a->proven || confirms_input(a))
		s->units_unsure = 0;
	else
		s->units_unsure += count_disputes(a);
	if (a->assurance == SLV_BY_DIGEST && s->end == SLV_END_KNOWN)
		s->end = SLV_END_PROVEN;
	if (a->proven) {
		/* What seemed lost is in the plan, bit for bit. */
		for (size_t i = 0; i < s->catalog.n; i++) {
			const struct slv_extent x = s->catalog.at[i];

			if (x.fate == SLV_LOST)
				SLV_TRY(slv_catalog_queue(&s->catalog, x.off,
				    x.len, SLV_REBUILT, err));
		}
		s->units_lost = 0;
		return slv_catalog_apply(&s->catalog, err);
	}
	/* If the log's own digest shows that some byte is wrong or missing, the
	 * result must not be called whole. */
	a->contradicted = s->seal.as_is == SLV_SEAL_OTHER && s->seal.framed;
	/* If it confirms the bytes as they are, the kept ones are right,
	 * whatever is left out. */
	if (a->assurance == SLV_BY_DIGEST || s->seal.as_is != SLV_SEAL_OTHER
	    || needs_reseal(s))
		return SLV_OK;
	/* Bytes that are left out explain the contradiction.  Without any, some
	 * kept byte is wrong. */
	return slv_scan_core_problem(s,
	    a->contradicted && !leaves_out(a) ? SLV_P_CONTRADICTED
	                                      : SLV_P_UNPROVEN,
	    s->seal.off, s->seal.have, err);
}

void
slv_verdict_intact(struct slv_audit *a)
{
	struct slv_scan *s = &a->scan;

	s->units_unsure = 0;
	bool all = !s->glanced && s->skimmed.units == 0;

	a->state = all ? SLV_STATE_INTACT : SLV_STATE_INDEXED;
	if (!all)
		a->assurance = SLV_BY_NOTHING;
	if (s->seal.as_is == SLV_SEAL_EQUAL) {
		a->assurance = SLV_BY_DIGEST;
		s->end = SLV_END_PROVEN;
	}
}

bool
slv_verdict_is_empty(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;

	return s->units_kept == 0 && !s->keeps_others
	    && s->catalog.sums[SLV_FOREIGN] == 0
	    && slv_view_foreign(&a->view) == 0
	    && (s->units_lost > 0 || s->absent
	        || s->catalog.sums[SLV_LOST] > 0);
}

static bool
is_refused(const struct slv_scan *s)
{
	for (size_t i = 0; i < s->problems.n_counts; i++) {
		if (s->problems.counts[i].info->remedy == SLV_REFUSE)
			return true;
	}
	return false;
}

enum slv_status
slv_verdict_empty(struct slv_audit *a, struct slv_err *err)
{
	a->state = SLV_STATE_UNRECOVERABLE;
	a->assurance = SLV_BY_NOTHING;
	if (is_refused(&a->scan))
		return SLV_OK;
	return slv_scan_core_problem(
	    &a->scan, SLV_P_NOTHING_KEPT, 0, a->scan.source->size, err);
}

void
slv_verdict_without_plan(struct slv_audit *a, bool possible)
{
	bool refused =
	    (!possible || is_refused(&a->scan)) && a->scan.wanted == NULL;

	a->state = refused ? SLV_STATE_UNRECOVERABLE : SLV_STATE_DAMAGED;
	if (refused)
		a->assurance = SLV_BY_NOTHING;
}

/* A new digest over bytes that the old one contradicts must not hide that, and
 * the notes of an earlier repair must not become false.  An original that is
 * restored bit for bit stays unchanged. */
static enum slv_status
annotate(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	bool wanted = opt->annotate
	    || (opt->mark && (a->contradicted || a->scan.units_unsure > 0));

	if (a->proven)
		return SLV_OK;
	if (!wanted && opt->mark)
		SLV_TRY(slv_annotate_find(&a->scan, &wanted, err));
	return wanted ? slv_annotate(a, err) : SLV_OK;
}

enum slv_status
slv_verdict_of_plan(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	/* A disk may have failed in between. */
	if (s->format == NULL) {
		a->state = SLV_STATE_UNRECOGNISED;
		a->assurance = SLV_BY_NOTHING;
		return SLV_OK;
	}
	/* The index or the digest confirms what was doubted at first: it is as
	 * it was written. */
	if (slv_scan_is_sound(s) && slv_plan_is_identity(&a->plan)) {
		slv_verdict_intact(a);
		a->planned = a->verified = opt->prove;
		return opt->prove && !opt->unwritten
		    ? slv_proof_know(a, NULL, err)
		    : SLV_OK;
	}
	SLV_TRY(weigh_digest(a, err));
	if (!a->proven && slv_verdict_is_empty(a)) {
		SLV_TRY(slv_restore_report(a, err));
		return slv_verdict_empty(a, err);
	}
	a->state = a->contradicted || s->units_unsure > 0 || leaves_out(a)
	    ? SLV_STATE_LOSSY
	    : SLV_STATE_REPAIRED;
	if (needs_reseal(s) && !opt->reseal) {
		a->state = SLV_STATE_DAMAGED;
		return slv_restore_report(a, err);
	}
	a->planned = true;
	SLV_TRY(annotate(a, opt, err));
	return slv_restore_report(a, err);
}

void
slv_verdict_forget(struct slv_audit *a, struct slv_tee *tee)
{
	if (a->written)
		slv_tee_free(tee);
	a->written = a->planned = a->proven = a->contradicted = false;
	a->annotated = a->verified = false;
	a->assurance = a->scan.checksummed ? SLV_BY_CHECKSUM : SLV_BY_STRUCTURE;
}
