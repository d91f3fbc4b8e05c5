/* promises.c - what holds of every audit. */
#include "fuzz/promises.h"

#include <string.h>

void
promise_books(const struct slv_catalog *c, uint64_t size)
{
	uint64_t at = 0, sums[SLV_FATES] = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];

		FUZZ_CHECK(x->off == at && x->len > 0);
		at += x->len;
		sums[x->fate] += x->len;
	}
	FUZZ_CHECK(at == size);
	FUZZ_CHECK(memcmp(sums, c->sums, sizeof(sums)) == 0);
}

void
promise_state(const struct slv_audit *a, uint64_t size)
{
	const uint64_t *sums = slv_reading_catalog(a)->sums;
	bool damage = slv_problems_damage(&a->scan.problems) > 0;
	bool gone = sums[SLV_LOST] + sums[SLV_FOREIGN] > 0 || a->scan.absent
	    || a->scan.units_unsure > 0;

	FUZZ_CHECK(a->verified == a->planned);
	FUZZ_CHECK(!a->proven || a->assurance == SLV_BY_DIGEST);
	switch (a->state) {
	case SLV_STATE_INTACT:
		FUZZ_CHECK(!damage && sums[SLV_KEPT] == size);
		FUZZ_CHECK(a->planned && slv_plan_is_identity(&a->plan));
		return;
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY:
		FUZZ_CHECK(damage && a->planned);
		FUZZ_CHECK(
		    (gone || a->contradicted) == (a->state == SLV_STATE_LOSSY));
		return;
	case SLV_STATE_DAMAGED:
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED: FUZZ_CHECK(damage && !a->planned); return;
	case SLV_STATE_INDEXED:
	case SLV_STATE_ACTIVE:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: break;
	}
	FUZZ_CHECK(!"a state that an audit can leave");
}

void
promise_plan(const struct slv_plan *plan, struct slv_buf *out)
{
	struct slv_err err = { 0 };
	struct slv_sink *sink;

	fuzz_ok(slv_sink_memory(out, &sink, &err), &err);
	fuzz_ok(slv_plan_run(plan, sink, NULL, NULL, &err), &err);
	fuzz_ok(sink->ops->commit(sink, &err), &err);
	FUZZ_CHECK(out->len == plan->size);
}

void
promise_again(const struct slv_buf *written, bool doubted)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source;
	struct slv_audit a;
	struct slv_err err = { 0 };

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	fuzz_ok(
	    slv_source_memory(written->at, written->len, &source, &err), &err);
	fuzz_ok(slv_audit_run(&a, source, &opt, &err), &err);
	promise_books(slv_reading_catalog(&a), written->len);
	promise_state(&a, written->len);
	/* What nothing confirms is doubted again. */
	FUZZ_CHECK(a.state == SLV_STATE_INTACT
	    || (doubted && a.scan.units_suspect > 0));
	/* Unless the log has none, its digest is right now. */
	FUZZ_CHECK(
	    a.assurance == SLV_BY_DIGEST || a.scan.seal.as_is == SLV_SEAL_NONE);
	slv_audit_free(&a);
	slv_source_close(source);
}
