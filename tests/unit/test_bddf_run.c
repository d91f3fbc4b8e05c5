/* test_bddf_run.c - blocks in a row without a surprise, against one by one. */
#include "formats/bddf/index/bddf_entries.h"
#include "support/both_ways.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "unit/suites.h"

#define LOGS 300

/* The entries of one series, and their additional indexes. */
static bool
same_entries(const struct bddf *a, const struct bddf *b, size_t series)
{
	struct bddf_cursor x = { .chunk = a->series[series].first };
	struct bddf_cursor y = { .chunk = b->series[series].first };

	for (;; x.i++, y.i++) {
		const struct bddf_entry *e = bddf_cursor_at(&x);
		const struct bddf_entry *f = bddf_cursor_at(&y);

		if (e == NULL || f == NULL)
			return e == f;
		if (e->off != f->off || e->sec != f->sec || e->nanos != f->nanos
		    || bddf_extras(a, e) != bddf_extras(b, f))
			return false;
		for (uint64_t i = 0; i < bddf_extras(a, e); i++) {
			if (bddf_pool_at(&a->extras, e->extra + i)
			    != bddf_pool_at(&b->extras, f->extra + i))
				return false;
		}
	}
}

static void
check_series(const struct bddf *a, const struct bddf *b)
{
	if (!CHECK_U64(a->n_series, b->n_series))
		return;
	for (size_t i = 0; i < a->n_series; i++) {
		const struct bddf_series *x = &a->series[i], *y = &b->series[i];

		CHECK_U64(x->n, y->n);
		CHECK_U64(x->bytes, y->bytes);
		CHECK(both_same_moment(x->from, y->from));
		CHECK(both_same_moment(x->to, y->to));
		CHECK(x->index_same == y->index_same);
		CHECK(same_entries(a, b, i));
	}
}

static void
check_clock(const struct bddf *a, const struct bddf *b)
{
	if (!CHECK_U64(a->n_eras, b->n_eras))
		return;
	for (size_t i = 0; i < a->n_eras; i++) {
		const struct bddf_era *x = &a->eras[i], *y = &b->eras[i];

		CHECK_U64(x->off, y->off);
		CHECK_U64(x->end, y->end);
		CHECK_U64(x->n, y->n);
		CHECK_I64(x->first, y->first);
		CHECK_I64(x->last, y->last);
	}
	if (!CHECK_U64(a->n_turns, b->n_turns))
		return;
	for (size_t i = 0; i < a->n_turns; i++) {
		const struct bddf_turn *x = &a->turns[i], *y = &b->turns[i];

		CHECK_U64(x->off, y->off);
		CHECK_I64(x->sec, y->sec);
		CHECK_U64(x->nanos, y->nanos);
		CHECK_U64(x->series, y->series);
		CHECK(x->back == y->back);
	}
}

static void
check_states(const struct slv_scan *a, const struct slv_scan *b)
{
	check_series(bddf_of(a), bddf_of(b));
	check_clock(bddf_of(a), bddf_of(b));
}

static void
check_log(const uint8_t *bytes, size_t n, const struct slv_mends *mends)
{
	both_ways(bytes, n, mends, check_states);
}

static void
make_log(struct made_log *log, uint64_t seed)
{
	struct dice dice = { seed };
	struct recipe how = {
		.grammar = dice_below(&dice, 4) == 0,
		.type_first = dice_below(&dice, 4) == 0,
		.series = 1 + (uint32_t)dice_below(&dice, 5),
		.blocks = dice_below(&dice, 400),
		.most = dice_below(&dice, 200),
		.keys = 1,
		.extras = (uint32_t)dice_below(&dice, 3),
		.steady = dice_below(&dice, 4) != 0,
		.early = dice_below(&dice, 8) == 0,
		.seed = seed,
	};

	make_bddf(log, &how, NULL);
}

/* As it is, then with a bit flipped in the head of a block, once more each
 * time: sizes, series and times of all kinds. */
static void
the_same_as_one_by_one(void)
{
	struct made_log log = { 0 };

	for (uint64_t seed = 0; seed < LOGS && !check_enough(); seed++) {
		struct dice dice = { seed };

		check_case("log %u", (unsigned)seed);
		make_log(&log, seed);
		check_log(log.bytes.at, log.bytes.n, NULL);
		for (unsigned i = 0; i < 5; i++) {
			const struct made_block *hit =
			    &log.blocks[dice_below(&dice, log.n)];
			size_t head = hit->end - hit->off;

			head = head > 40 ? 40 : head;
			log.bytes.at[hit->off + dice_below(&dice, head)] ^=
			    (uint8_t)(1 << dice_below(&dice, 8));
			check_log(log.bytes.at, log.bytes.n, NULL);
		}
		made_free(&log);
	}
	check_case("%s", "");
}

/* Any stretches of blocks, as if something had been found out about them. */
static void
with_mends(void)
{
	struct made_log log = { 0 };

	for (uint64_t seed = 0; seed < LOGS && !check_enough(); seed++) {
		struct dice dice = { seed };
		struct slv_mends mends = { 0 };
		struct slv_err err = { 0 };

		check_case("log %u", (unsigned)seed);
		make_log(&log, seed);
		for (size_t i = 3; i < log.n; i += 1 + dice_below(&dice, 60)) {
			const struct made_block *x = &log.blocks[i];
			uint64_t end = x->end, len = end - x->off;
			struct slv_aside a = { .off = x->off,
				.end = end,
				.fate = seed % 2 ? SLV_LOST : SLV_FOREIGN };
			struct slv_ranges *r =
			    i % 3 == 1 ? &mends.barred : &mends.trusted;

			CHECK_OK(i % 3 == 0
			        ? slv_mends_add_aside(&mends, &a, &err)
			        : slv_ranges_add(r, x->off, len, &err),
			    &err);
		}
		slv_mends_sort(&mends);
		check_log(log.bytes.at, log.bytes.n, &mends);
		slv_mends_free(&mends);
		made_free(&log);
	}
	check_case("%s", "");
}

CU_TestInfo bddf_run_tests[] = {
	{ "the same as one by one", the_same_as_one_by_one },
	{ "with mends", with_mends },
	CU_TEST_INFO_NULL,
};
