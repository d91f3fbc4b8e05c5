/* test_meter.c - how often the caller is told, and sizes in words. */
#include "base/text/amount.h"
#include "core/meter.h"
#include "job/audit/audit.h"
#include "support/check.h"
#include "unit/suites.h"

static struct slv_progress seen[16];
static size_t n_seen;

static void
see(void *ctx, const struct slv_progress *p)
{
	(void)ctx;
	if (n_seen < 16)
		seen[n_seen] = *p;
	n_seen++;
}

static void
told_at_every_step(void)
{
	struct slv_meter m = { .fn = see };
	uint64_t step = SLV_METER_STEP;

	n_seen = 0;
	slv_meter_begin(&m, SLV_PHASE_READ, 3 * step);
	CHECK_U64(n_seen, 1);
	CHECK_U64(seen[0].done, 0);
	CHECK_U64(seen[0].total, 3 * step);
	slv_meter_at(&m, step - 1);
	CHECK_U64(n_seen, 1);
	slv_meter_at(&m, step);
	slv_meter_at(&m, step + 1);
	slv_meter_at(&m, 1);
	CHECK_U64(n_seen, 2);
	/* Never more than everything. */
	slv_meter_at(&m, 9 * step);
	CHECK_U64(n_seen, 3);
	CHECK_U64(seen[2].done, 3 * step);
	slv_meter_begin(&m, SLV_PHASE_WRITE, 1);
	CHECK_U64(n_seen, 4);
	CHECK_U64(seen[3].phase, SLV_PHASE_WRITE);
	CHECK_U64(seen[3].done, 0);
}

static void
nobody_listens(void)
{
	struct slv_meter m = { .fn = NULL };

	slv_meter_begin(&m, SLV_PHASE_READ, UINT64_MAX);
	slv_meter_at(&m, UINT64_MAX);
	slv_meter_begin(NULL, SLV_PHASE_READ, UINT64_MAX);
	slv_meter_at(NULL, UINT64_MAX);
	CHECK_U64(m.now.total, 0);
}

static void
amounts(void)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 bytes" },
		{ 1, "1 byte" },
		{ 999, "999 bytes" },
		{ 1000, "1.0 KB" },
		{ 1849, "1.8 KB" },
		{ 9949, "9.9 KB" },
		{ 9950, "10 KB" },
		{ 350120, "350 KB" },
		{ 999449, "999 KB" },
		{ 999450, "1.0 MB" },
		{ UINT64_C(4500000000), "4.5 GB" },
		{ UINT64_MAX, "18 EB" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK_STR(slv_amount(rows[i].bytes).text, rows[i].text);
}

/* What --require-end makes of a log; returns how many findings. */
static uint64_t
require(enum slv_state state, enum slv_end end, enum slv_state *after)
{
	struct slv_audit a = { .state = state };
	struct slv_err err = { 0 };
	uint64_t n;

	a.scan.end = end;
	a.scan.problems.max = 10;
	CHECK_OK(slv_audit_require_end(&a, &err), &err);
	n = slv_problems_damage(&a.scan.problems);
	*after = a.state;
	slv_problems_free(&a.scan.problems);
	return n;
}

static void
end_is_required(void)
{
	enum slv_state after;

	CHECK_U64(require(SLV_STATE_INTACT, SLV_END_UNKNOWN, &after), 1);
	CHECK_NAME(slv_state_name, after, SLV_STATE_DAMAGED);
	CHECK_U64(require(SLV_STATE_LOSSY, SLV_END_UNKNOWN, &after), 1);
	CHECK_NAME(slv_state_name, after, SLV_STATE_LOSSY);
	CHECK_U64(require(SLV_STATE_INTACT, SLV_END_KNOWN, &after), 0);
	CHECK_U64(require(SLV_STATE_INTACT, SLV_END_PROVEN, &after), 0);
	CHECK_NAME(slv_state_name, after, SLV_STATE_INTACT);
	CHECK_U64(require(SLV_STATE_UNRECOGNISED, SLV_END_UNKNOWN, &after), 0);
	CHECK_U64(require(SLV_STATE_UNSUPPORTED, SLV_END_UNKNOWN, &after), 0);
	CHECK_NAME(slv_state_name, after, SLV_STATE_UNSUPPORTED);
}

CU_TestInfo meter_tests[] = {
	{ "told at every step", told_at_every_step },
	{ "nobody listens", nobody_listens },
	{ "amounts", amounts },
	{ "--require-end", end_is_required },
	CU_TEST_INFO_NULL,
};
