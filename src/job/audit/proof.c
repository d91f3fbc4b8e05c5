/* proof.c - the proof: digest what a plan makes, and scan it. */
#include "job/audit/proof.h"

#include "base/bytes.h"
#include "job/audit/rescan.h"

/* Return true if the second scan has only notes that the first one has.  One
 * may be more frequent: a rebuilt index repeats what was noted about a
 * declaration. */
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

/* The last state of the digest at which the early output equals the plan. */
static const struct slv_hash_mark *
shared(const struct slv_audit *a, const struct slv_tee *tee)
{
	uint64_t upto = slv_min64(slv_plan_prefix(&a->plan), tee->n);

	if (a->patched != NULL && a->mends.n > 0)
		upto = slv_min64(upto, a->mends.at[0].off);
	return slv_hasher_before(slv_rescan_hasher(a), upto);
}

/* Digest what the plan makes, and write it at the same time. */
static enum slv_status
know_and_write(struct slv_audit *a, struct slv_tee *tee, struct slv_err *err)
{
	const struct slv_hash_mark *from = shared(a, tee);
	struct slv_sink *sink = slv_tee_take(tee, from->off);
	struct slv_err why = { 0 };

	if (sink == NULL)
		return SLV_OK;
	a->written =
	    slv_plan_know(&a->plan, slv_rescan_hasher(a), sink, from, &why)
	    == SLV_OK;
	if (a->written)
		slv_tee_give(tee, sink, a->plan.size);
	else
		sink->ops->discard(sink);
	/* Any other failure is reported when the output is written. */
	return why.code == SLV_E_NOMEM
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

enum slv_status
slv_proof_know(struct slv_audit *a, struct slv_tee *tee, struct slv_err *err)
{
	bool open = tee != NULL && tee->sink != NULL;

	if (a->scan.skimmed.units > 0)
		return slv_plan_know_end(&a->plan, a->scan.opt.cancel, err);
	if (tee != NULL && !open && !a->plan.known)
		SLV_TRY(slv_tee_open(tee, &open, err));
	if (open && !a->plan.known)
		SLV_TRY(know_and_write(a, tee, err));
	return slv_plan_know(&a->plan, slv_rescan_hasher(a), NULL, NULL, err);
}

enum slv_status
slv_proof_scan(struct slv_audit *a, const struct slv_audit_options *opt,
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
	a->inherited = second.inherited;
	slv_scan_free(&second);
	slv_source_close(out);
	return st;
}
