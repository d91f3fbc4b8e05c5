/* fuzz_audit.c - audit any bytes; what a repair makes of them must be sound.
 *
 * Once as a user would, and once more with each option that this input gives
 * a meaning to.
 */
#include <string.h>

#include "fuzz/promises.h"

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
	if (!fuzz_within(slv_audit_run(&a, source, &opt, &err), &err)) {
		slv_audit_free(&a);
		slv_source_close(source);
		return more;
	}
	promise_books(slv_reading_catalog(&a), n);
	promise_state(&a, n);
	if (a.planned) {
		promise_plan(&a.plan, &written);
		if (a.state == SLV_STATE_INTACT)
			FUZZ_CHECK(memcmp(written.at, bytes, n) == 0);
		else
			promise_again(
			    &written, (opt.scan.keep & SLV_KEEP_SUSPECT) != 0);
	}
	more.reseal |= a.state == SLV_STATE_DAMAGED;
	if (a.scan.units_suspect > 0)
		more.scan.keep |= SLV_KEEP_SUSPECT;
	if (a.scan.units_lost > 0)
		more.scan.keep |= SLV_KEEP_UNVERIFIED;
	slv_buf_free(&written);
	slv_audit_free(&a);
	slv_source_close(source);
	return more;
}

void
fuzz_audit(const uint8_t *bytes, size_t n)
{
	struct slv_audit_options opt = { .plan = true, .prove = true }, more;

	opt.scan.limits = slv_limits_fill((struct slv_limits)FUZZ_LIMITS);
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
