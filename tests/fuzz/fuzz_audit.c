/* fuzz_audit.c - audit any bytes; what a repair makes of them must be sound.
 *
 * Once as a user would, and once more with each option that this input gives
 * a meaning to.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "job/audit.h"

/* Extents tile the input, and the sums are theirs. */
static void
check_books(const struct slv_catalog *c, uint64_t size)
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

/* The state is what findings and books say. */
static void
check_state(const struct slv_audit *a, uint64_t size)
{
	const uint64_t *sums = a->scan.catalog.sums;
	bool damage = slv_problems_damage(&a->scan.problems) > 0;
	bool gone = sums[SLV_LOST] + sums[SLV_FOREIGN] > 0;

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

/* What the plan writes. */
static void
run_plan(const struct slv_plan *plan, struct slv_buf *out)
{
	struct slv_err err = { 0 };
	struct slv_sink *sink;

	fuzz_ok(slv_sink_memory(out, &sink, &err), &err);
	fuzz_ok(slv_plan_run(plan, sink, NULL, NULL, &err), &err);
	fuzz_ok(sink->ops->commit(sink, &err), &err);
	FUZZ_CHECK(out->len == plan->size);
}

/* A repair finds nothing to do in what a repair has written. */
static void
check_again(const struct slv_buf *written)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source;
	struct slv_audit a;
	struct slv_err err = { 0 };

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	fuzz_ok(
	    slv_source_memory(written->at, written->len, &source, &err), &err);
	fuzz_ok(slv_audit_run(&a, source, &opt, &err), &err);
	check_books(&a.scan.catalog, written->len);
	check_state(&a, written->len);
	FUZZ_CHECK(a.state == SLV_STATE_INTACT);
	/* Unless the log has none, its digest is right now. */
	FUZZ_CHECK(
	    a.assurance == SLV_BY_DIGEST || a.scan.seal.as_is == SLV_SEAL_NONE);
	slv_audit_free(&a);
	slv_source_close(source);
}

/* Returned are the options that would change anything. */
static struct slv_audit_options
audit(const uint8_t *bytes, size_t n, struct slv_audit_options opt)
{
	struct slv_audit_options more = opt;
	struct slv_buf written = { 0 };
	struct slv_source *source;
	struct slv_audit a;
	struct slv_err err = { 0 };

	fuzz_ok(slv_source_memory(bytes, n, &source, &err), &err);
	fuzz_ok(slv_audit_run(&a, source, &opt, &err), &err);
	check_books(&a.scan.catalog, n);
	check_state(&a, n);
	if (a.planned) {
		run_plan(&a.plan, &written);
		if (a.state == SLV_STATE_INTACT)
			FUZZ_CHECK(memcmp(written.at, bytes, n) == 0);
		else
			check_again(&written);
	}
	more.reseal |= a.state == SLV_STATE_DAMAGED;
	if (a.scan.units_suspect > 0)
		more.scan.keep |= SLV_KEEP_SUSPECT;
	slv_buf_free(&written);
	slv_audit_free(&a);
	slv_source_close(source);
	return more;
}

void
fuzz_audit(const uint8_t *bytes, size_t n)
{
	struct slv_audit_options opt = { .plan = true, .prove = true }, more;

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	more = audit(bytes, n, opt);
	if (more.reseal) {
		opt.reseal = true;
		more.scan.keep |= audit(bytes, n, opt).scan.keep;
	}
	if (more.scan.keep != 0) {
		opt.scan.keep = more.scan.keep;
		opt.reseal = true;
		audit(bytes, n, opt);
	}
}
