/* test_bddf_run.c - blocks in a row without a surprise, against one by one.
 *
 * Where somebody listens, a scan asks about every block: what it then knows at
 * its end must be the same as what it knows when nobody does, on good logs
 * and on damaged ones.
 */
#include <string.h>

#include "formats/bddf/index/bddf_entries.h"
#include "formats/formats.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "unit/suites.h"

#define LOGS 300

static bool
listen(void *ctx, const struct slv_block *block)
{
	*(uint64_t *)ctx += block->len;
	return true;
}

/* Scan; only the slow way tells of blocks. */
static bool
scan(struct slv_scan *s, struct slv_source *source,
    const struct slv_mends *mends, bool slowly)
{
	uint64_t told = 0;
	struct slv_scan_options how = {
		.limits = slv_limits_fill((struct slv_limits){ 0 }),
		.mends = mends,
		.on_block = slowly ? listen : NULL,
		.on_block_ctx = &told,
	};
	struct slv_err err = { 0 };

	return CHECK_OK(slv_scan_run(s, source, slv_formats, &how, &err), &err)
	    && CHECK(told == (slowly ? source->size : 0));
}

static bool
same_moment(struct slv_moment a, struct slv_moment b)
{
	return a.known == b.known
	    && (!a.known || slv_moment_compare(a, b) == 0);
}

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
		CHECK(same_moment(x->from, y->from));
		CHECK(same_moment(x->to, y->to));
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
check_gaps(const struct slv_gaps *a, const struct slv_gaps *b)
{
	CHECK(same_moment(a->last, b->last));
	CHECK(same_moment(a->latest, b->latest));
	CHECK_U64(a->late, b->late);
	CHECK_U64(a->n_notes, b->n_notes);
	if (!CHECK_U64(a->n_channels, b->n_channels))
		return;
	for (size_t i = 0; i < a->n_channels; i++) {
		const struct slv_gap_channel *x = &a->channels[i];
		const struct slv_gap_channel *y = &b->channels[i];

		CHECK_U64(x->channel, y->channel);
		CHECK_U64(x->n, y->n);
		CHECK_U64(x->least, y->least);
		CHECK(same_moment(x->last, y->last));
		CHECK_U64(x->met, y->met);
		CHECK(x->steps == y->steps);
		CHECK_U64(x->n_steps, y->n_steps);
		CHECK_U64(x->waiting, y->waiting);
	}
}

static void
check_scans(const struct slv_scan *a, const struct slv_scan *b)
{
	CHECK_U64(a->units_kept, b->units_kept);
	CHECK_U64(a->units_lost, b->units_lost);
	if (CHECK_U64(a->catalog.n, b->catalog.n))
		CHECK(memcmp(a->catalog.at, b->catalog.at,
		          a->catalog.n * sizeof(*a->catalog.at))
		    == 0);
	if (CHECK_U64(a->problems.n, b->problems.n))
		CHECK(a->problems.n == 0
		    || memcmp(a->problems.at, b->problems.at,
		           a->problems.n * sizeof(*a->problems.at))
		        == 0);
	if (!CHECK(a->format == b->format) || a->format == NULL)
		return;
	check_series(bddf_of(a), bddf_of(b));
	check_clock(bddf_of(a), bddf_of(b));
	check_gaps(&a->gaps, &b->gaps);
}

static void
check_log(const uint8_t *bytes, size_t n, const struct slv_mends *mends)
{
	struct slv_source *source = NULL;
	struct slv_scan quick = { 0 }, slow = { 0 };
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_source_memory(bytes, n, &source, &err), &err))
		return;
	if (scan(&quick, source, mends, false)
	    && scan(&slow, source, mends, true))
		check_scans(&quick, &slow);
	slv_scan_free(&quick);
	slv_scan_free(&slow);
	slv_source_close(source);
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
			struct slv_aside a = { x->off, end,
				seed % 2 ? SLV_LOST : SLV_FOREIGN, { 0 } };
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
