/* fuzz_merge.c - merge two damaged copies of any bytes.
 *
 * How the copies are damaged follows from the last bytes of the log, which
 * in a whole one are its digest: so that an input is a log here, too, and any
 * change of it that keeps the digest right is other damage.
 */
#include <string.h>

#include "fuzz/promises.h"
#include "job/merge/merge.h"
#include "support/damage.h"

#define HARMS 3 /* to both copies together */

void
fuzz_harm(struct blob copies[2], const uint8_t p[4])
{
	struct blob *copy = &copies[p[0] & 1], out = { .n = 0 };
	size_t n = copy->n, off = (size_t)(p[1] | p[2] << 8), len = p[3] + 1u;

	if (n == 0)
		return;
	off %= n;
	switch (p[0] / 2 % 8) {
	case 0: damage_cut(&out, copy->at, n, off); break;
	case 1: damage_flip(&out, copy->at, n, off * 8 + len % 8); break;
	case 2: damage_insert(&out, copy->at, n, off, len, p[3]); break;
	case 3: damage_remove(&out, copy->at, n, off, len); break;
	case 4: damage_repeat(&out, copy->at, n, off, len); break;
	case 5: damage_tail(&out, copy->at, n, off, len, p[3] & 1, len); break;
	default:
		damage_overwrite(&out, copy->at, n, off, len,
		    (enum damage_window)(p[0] / 16 % WINDOW_KINDS), p[3]);
		break;
	}
	blob_free(copy);
	*copy = out;
}

/* Copies of the log, each with some of its harms. */
static void
make_copies(struct blob copies[2], const uint8_t *bytes, size_t n)
{
	size_t at = n < 20 ? n : n - 20;

	for (size_t i = 0; i < 2; i++)
		blob_set(&copies[i], bytes, n);
	for (size_t i = 0; i < HARMS && at + 4 <= n; i++, at += 4)
		fuzz_harm(copies, bytes + at);
}

/* Whatever comes of the two, it is sound. */
static void
check_result(const struct slv_merge *m, struct slv_source *source,
    const struct slv_audit_options *opt)
{
	struct slv_buf written = { 0 };
	struct slv_err err = { 0 };
	struct slv_audit a;

	if (!fuzz_within(slv_audit_run(&a, source, opt, &err), &err)) {
		slv_audit_free(&a);
		return;
	}
	promise_books(slv_reading_catalog(&a), source->size);
	promise_state(&a, source->size);
	fuzz_ok(slv_merge_judge(m, &a, &err), &err);
	FUZZ_CHECK(a.verified == a.planned);
	if (a.planned) {
		promise_plan(&a.plan, &written);
		promise_again(&written, false);
	}
	slv_buf_free(&written);
	slv_audit_free(&a);
}

void
fuzz_merge(const uint8_t *bytes, size_t n)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source = NULL;
	struct blob copies[2] = { { .n = 0 } };
	struct slv_merge m;
	struct slv_err err = { 0 };
	enum slv_status st;

	opt.scan.limits = slv_limits_fill((struct slv_limits)FUZZ_LIMITS);
	opt.effort = n % 2;
	make_copies(copies, bytes, n);
	fuzz_ok(slv_merge_init(&m, 2, &err), &err);
	for (size_t i = 0; i < 2; i++)
		fuzz_ok(slv_source_memory(copies[i].at, copies[i].n,
		            &m.files[i].source, &err),
		    &err);
	st = slv_merge_join(&m, &opt, &source, &err);
	/* So much may be gone that nothing says they are. */
	if (st != SLV_E_UNRELATED && fuzz_within(st, &err)) {
		check_result(&m, source, &opt);
	}
	slv_merge_free(&m);
	for (size_t i = 0; i < 2; i++)
		blob_free(&copies[i]);
}
