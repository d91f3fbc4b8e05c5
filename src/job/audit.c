/* audit.c - judge one source: scan, plan, prove. */
#include "job/audit.h"

#include "base/bytes.h"
#include "formats/formats.h"
#include "job/annotate.h"
#include "job/begin.h"
#include "job/reading.h"
#include "job/restore.h"
#include "job/suspect.h"

/* Whether the only way on is a fresh digest over bytes that may be wrong. */
static bool
needs_reseal(const struct slv_scan *s)
{
	for (size_t i = 0; i < s->problems.n_counts; i++) {
		if (s->problems.counts[i].info->remedy == SLV_RESEAL)
			return true;
	}
	return false;
}

/* Whether the digest confirms the input as it is. */
static bool
confirms_input(const struct slv_audit *a)
{
	return a->patched == NULL && a->scan.seal.as_is >= SLV_SEAL_FIELD;
}

/* Whether it does, and all that was recorded in it is kept: the plan then
 * differs only in what is derived. */
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

/* Whether the plan leaves out what may have been recorded. */
static bool
leaves_out(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;

	return slv_restore_is_lossy(a) || s->absent
	    || s->catalog.sums[SLV_LOST] + s->catalog.sums[SLV_FOREIGN] > 0
	    || slv_view_foreign(&a->view) > 0;
}

/* Places at which copies that were laid together say different things: the unit
 * there may be wrong. */
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
	/* Where the log's own digest says that some byte is wrong or missing,
	 * the result must not be called whole. */
	a->contradicted = s->seal.as_is == SLV_SEAL_OTHER && s->seal.framed;
	/* Where it confirms the bytes as they are, those that are kept are
	 * right, whatever else is left out. */
	if (a->assurance == SLV_BY_DIGEST || s->seal.as_is != SLV_SEAL_OTHER
	    || needs_reseal(s))
		return SLV_OK;
	/* Bytes that are left out explain the contradiction.  Where there are
	 * none, some byte that is kept is wrong. */
	return slv_scan_core_problem(s,
	    a->contradicted && !leaves_out(a) ? SLV_P_CONTRADICTED
	                                      : SLV_P_UNPROVEN,
	    s->seal.off, s->seal.have, err);
}

/* The input's notes and no others.  One may come up more often: a rebuilt
 * index carries over what was noted about a declaration. */
static bool
only_known_notes(const struct slv_scan *first, const struct slv_scan *second)
{
	for (size_t i = 0; i < second->problems.n_counts; i++) {
		const struct slv_problem_count *c = &second->problems.counts[i];

		if (slv_problems_count(&first->problems, c->info) == 0)
			return false;
	}
	return true;
}

/* The last state of the digest at which the early output is the plan's. */
static const struct slv_hash_mark *
shared(const struct slv_audit *a, const struct slv_tee *tee)
{
	uint64_t upto = slv_min64(slv_plan_prefix(&a->plan), tee->n);

	if (a->patched != NULL && a->mends.n > 0)
		upto = slv_min64(upto, a->mends.at[0].off);
	return slv_hasher_before(slv_restore_hasher(a), upto);
}

/* Digest what the plan makes, and write it meanwhile. */
static enum slv_status
know_and_write(struct slv_audit *a, struct slv_tee *tee, struct slv_err *err)
{
	const struct slv_hash_mark *from = shared(a, tee);
	struct slv_sink *sink = slv_tee_take(tee, from->off);
	struct slv_err why = { 0 };

	if (sink == NULL)
		return SLV_OK;
	a->written =
	    slv_plan_know(&a->plan, slv_restore_hasher(a), sink, from, &why)
	    == SLV_OK;
	if (a->written)
		slv_tee_give(tee, sink, a->plan.size);
	else
		sink->ops->discard(sink);
	/* Whatever else it is, it will be said when the output is written. */
	return why.code == SLV_E_NOMEM
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

/* Digest what the plan makes, and write it meanwhile where a tee is wanted. */
static enum slv_status
know(struct slv_audit *a, struct slv_tee *tee, struct slv_err *err)
{
	bool open = tee != NULL && tee->sink != NULL;

	if (tee != NULL && !open && !a->plan.known)
		SLV_TRY(slv_tee_open(tee, &open, err));
	if (open && !a->plan.known)
		SLV_TRY(know_and_write(a, tee, err));
	return slv_plan_know(&a->plan, slv_restore_hasher(a), NULL, NULL, err);
}

/* Scan the plan as if it were a file.
 *
 *   *objection  what it finds wrong: a repair that would not come out clean is
 *               not written; NULL: nothing */
static enum slv_status
prove(struct slv_audit *a, const struct slv_audit_options *opt,
    const char **objection, struct slv_err *err)
{
	struct slv_scan_options again = opt->scan;
	struct slv_source *out = NULL;
	struct slv_scan second = { 0 };
	enum slv_status st;

	again.on_block = NULL;
	again.tee = NULL;
	again.keep = 0;
	*objection = NULL;
	SLV_TRY(slv_plan_source(&a->plan, &out, err));
	st = slv_scan_prove(&second, out, &a->plan, &again, &a->scan, err);
	if (st == SLV_E_BUG)
		*objection = "records";
	else if (st == SLV_OK
	    && (!slv_scan_is_sound(&second)
	        || second.catalog.sums[SLV_KEPT] != a->plan.size
	        || !only_known_notes(&a->scan, &second)))
		*objection = second.problems.n_counts > 0
		    ? second.problems.counts[0].info->id
		    : "bytes";
	if (st == SLV_E_BUG) {
		*err = (struct slv_err){ 0 };
		st = SLV_OK;
	}
	a->verified = st == SLV_OK && *objection == NULL;
	slv_scan_free(&second);
	slv_source_close(out);
	return st;
}

static void
call_intact(struct slv_audit *a)
{
	struct slv_scan *s = &a->scan;

	s->units_unsure = 0;
	a->state = s->glanced ? SLV_STATE_INDEXED : SLV_STATE_INTACT;
	if (s->glanced)
		a->assurance = SLV_BY_NOTHING;
	if (s->seal.as_is == SLV_SEAL_EQUAL) {
		a->assurance = SLV_BY_DIGEST;
		s->end = SLV_END_PROVEN;
	}
}

/* Whether something was recorded, and no record can be kept.  A log of another
 * recording inside is something to keep. */
static bool
nothing_is_left(const struct slv_audit *a)
{
	const struct slv_scan *s = &a->scan;

	return s->units_kept == 0 && s->catalog.sums[SLV_FOREIGN] == 0
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

/* A driver may have found the cause. */
static enum slv_status
refuse_empty(struct slv_audit *a, struct slv_err *err)
{
	a->state = SLV_STATE_UNRECOVERABLE;
	a->assurance = SLV_BY_NOTHING;
	if (is_refused(&a->scan))
		return SLV_OK;
	return slv_scan_core_problem(
	    &a->scan, SLV_P_NOTHING_KEPT, 0, a->scan.source->size, err);
}

/* There is no plan: a driver cannot make one, or the job only describes.  What
 * only lacks an option of `repair` is damaged. */
static void
give_verdict(struct slv_audit *a, bool possible)
{
	bool refused =
	    (!possible || is_refused(&a->scan)) && a->scan.wanted == NULL;

	a->state = refused ? SLV_STATE_UNRECOVERABLE : SLV_STATE_DAMAGED;
	if (refused)
		a->assurance = SLV_BY_NOTHING;
}

/* A fresh digest over bytes that the old one contradicts must not hide that, and
 * what an earlier repair wrote into the log must not become false.  An original
 * that comes back bit for bit is left as it is. */
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

/* What the reading that the audit has is worth, and whether its plan may be
 * run. */
static enum slv_status
judge_plan(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	/* A disk may have given up meanwhile. */
	if (s->format == NULL) {
		a->state = SLV_STATE_UNRECOGNISED;
		a->assurance = SLV_BY_NOTHING;
		return SLV_OK;
	}
	/* What was doubted at first is confirmed by the index or the digest: it
	 * is as it was written. */
	if (slv_scan_is_sound(s) && slv_plan_is_identity(&a->plan)) {
		call_intact(a);
		a->planned = a->verified = opt->prove;
		return opt->prove ? know(a, NULL, err) : SLV_OK;
	}
	SLV_TRY(weigh_digest(a, err));
	if (!a->proven && nothing_is_left(a)) {
		SLV_TRY(slv_restore_report(a, err));
		return refuse_empty(a, err);
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

/* Forget what was judged of a plan that does not come out clean. */
static void
forget_verdict(struct slv_audit *a, struct slv_tee *tee)
{
	if (a->written)
		slv_tee_free(tee);
	a->written = a->planned = a->proven = a->contradicted = false;
	a->annotated = a->verified = false;
	a->assurance = a->scan.checksummed ? SLV_BY_CHECKSUM : SLV_BY_STRUCTURE;
}

/* Judge and prove the readings of the damaged log, the boldest first, until the
 * plan of one comes out clean. */
static enum slv_status
prove_readings(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_tee *tee = opt->scan.tee;
	const char *objection, *first = NULL;
	bool possible = true;

	for (unsigned care = 0; possible; care++) {
		if (care > 0) {
			forget_verdict(a, tee);
			tee = NULL;
			SLV_TRY(
			    slv_restore_careful(a, opt, care, &possible, err));
		}
		if (!possible)
			break;
		SLV_TRY(judge_plan(a, opt, err));
		if (!a->planned || !opt->prove || a->verified)
			return SLV_OK;
		SLV_TRY(know(a, tee, err));
		SLV_TRY(prove(a, opt, &objection, err));
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
		give_verdict(a, false);
		return SLV_OK;
	}
	if (a->patched == NULL)
		SLV_TRY(slv_restore(a, opt, err));
	return prove_readings(a, opt, err);
}

/* Whether the present scan is of the input, as it is. */
static bool
reads_input(const struct slv_audit *a)
{
	return a->patched == NULL && a->view.source == NULL;
}

static enum slv_status
plan_intact(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	call_intact(a);
	if (!opt->prove)
		return SLV_OK;
	SLV_TRY(slv_plan_copy(&a->plan, 0, a->scan.source->size, err));
	SLV_TRY(slv_plan_seal(&a->plan, &a->hasher, err));
	SLV_TRY(know(a, NULL, err));
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
	else if (nothing_is_left(a))
		SLV_TRY(refuse_empty(a, err));
	else
		give_verdict(a, true);
	/* What was mended may have been what had no checksum. */
	if (a->assurance == SLV_BY_STRUCTURE && s->checksummed)
		a->assurance = SLV_BY_CHECKSUM;
	if (a->state == SLV_STATE_INTACT && slv_problems_left(&s->problems) > 0)
		a->state = SLV_STATE_DAMAGED;
	SLV_TRY(slv_suspect_leaps(s, err));
	return slv_suspect_pages(a, err);
}

enum slv_status
slv_audit_run(struct slv_audit *a, struct slv_source *source,
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
