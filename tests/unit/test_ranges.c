/* test_ranges.c - sets of ranges, against a plain array of flags. */
#include "base/bytes.h"
#include "base/mem.h"
#include "base/ranges.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define SPACE 64 /* bytes that the ranges are in */

static void
touching_ones_merge(void)
{
	struct slv_ranges r = { 0 };
	struct slv_err err = { 0 };

	slv_ranges_add(&r, 10, 5, &err);
	slv_ranges_add(&r, 20, 5, &err);
	slv_ranges_add(&r, 0, 0, &err);
	CHECK_U64(r.n, 2);
	slv_ranges_add(&r, 15, 5, &err);
	if (CHECK_U64(r.n, 1)) {
		CHECK_U64(r.at[0].off, 10);
		CHECK_U64(r.at[0].end, 25);
	}
	slv_ranges_add(&r, 12, 3, &err);
	CHECK_U64(r.n, 1);
	CHECK(!slv_ranges_hit(&r, 25, 5));
	CHECK(!slv_ranges_hit(&r, 5, 5));
	CHECK(!slv_ranges_hit(&r, 12, 0));
	CHECK(slv_ranges_hit(&r, 5, 6));
	CHECK(slv_ranges_from(&r, 25) == NULL);
	CHECK(slv_ranges_from(&r, 24) == &r.at[0]);
	slv_ranges_free(&r);
	CHECK(r.at == NULL && r.n == 0);
}

static void
compare(const struct slv_ranges *r, const bool *flags)
{
	for (size_t i = 0; i < r->n; i++) {
		CHECK(r->at[i].off < r->at[i].end);
		CHECK(i == 0 || r->at[i - 1].end < r->at[i].off);
	}
	for (uint64_t i = 0; i < SPACE; i++) {
		const struct slv_range *from = slv_ranges_from(r, i);
		uint64_t first = i;

		while (first < SPACE && !flags[first])
			first++;
		CHECK(slv_ranges_hit(r, i, 1) == flags[i]);
		CHECK((from != NULL) == (first < SPACE));
		CHECK(from == NULL
		    || (from->end > first
		        && (first == i ? from->off <= i : from->off == first)));
	}
}

static void
as_an_array_of_flags(void)
{
	struct slv_err err = { 0 };

	for (uint64_t seed = 0; seed < 300 && !check_enough(); seed++) {
		struct slv_ranges r = { 0 };
		struct dice dice = { seed };
		bool flags[SPACE] = { false };

		check_case("seed %u", (unsigned)seed);
		for (int k = 0; k < 12; k++) {
			uint64_t off = dice_below(&dice, SPACE);
			uint64_t len =
			    dice_below(&dice, slv_min64(SPACE - off, 9) + 1);

			CHECK_OK(slv_ranges_add(&r, off, len, &err), &err);
			for (uint64_t i = off; i < off + len; i++)
				flags[i] = true;
			compare(&r, flags);
		}
		slv_ranges_free(&r);
	}
	check_case("%s", "");
}

static bool
no_memory(size_t size)
{
	(void)size;
	return false;
}

static void
without_memory(void)
{
	struct slv_ranges r = { 0 };
	struct slv_err err = { 0 };

	slv_mem_hook = no_memory;
	CHECK_STATUS(slv_ranges_add(&r, 0, 1, &err), SLV_E_NOMEM, &err);
	slv_mem_hook = NULL;
	CHECK_U64(r.n, 0);
	slv_ranges_free(&r);
}

CU_TestInfo ranges_tests[] = {
	{ "touching ones merge", touching_ones_merge },
	{ "as an array of flags", as_an_array_of_flags },
	{ "without memory", without_memory },
	CU_TEST_INFO_NULL,
};
