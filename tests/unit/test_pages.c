/* test_pages.c - pages of zeros, however the bytes are cut up. */
#include <string.h>

#include "core/catalog/pages.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define PAGES 12

static bool
all_zero(const uint8_t *p)
{
	for (size_t i = 0; i < SLV_PAGE; i++) {
		if (p[i] != 0)
			return false;
	}
	return true;
}

static void
however_cut(void)
{
	static uint8_t bytes[PAGES * SLV_PAGE + 100];

	for (uint64_t seed = 1; seed <= 300 && !check_enough(); seed++) {
		struct dice dice = { seed };
		struct slv_pages p = { 0 };
		struct slv_err err = { 0 };

		check_case("seed %u", (unsigned)seed);
		memset(bytes, 0, sizeof(bytes));
		for (unsigned i = 0; i < PAGES; i++)
			bytes[dice_below(&dice, sizeof(bytes))] = 1;
		for (size_t at = 0; at < sizeof(bytes);) {
			size_t n = (size_t)dice_below(&dice, 3 * SLV_PAGE) + 1;

			n = n < sizeof(bytes) - at ? n : sizeof(bytes) - at;
			CHECK_OK(
			    slv_pages_add(&p, at, bytes + at, n, &err), &err);
			at += n;
		}
		for (size_t i = 0; i < PAGES; i++)
			CHECK(slv_ranges_hit(&p.runs, i * SLV_PAGE, SLV_PAGE)
			    == all_zero(bytes + i * SLV_PAGE));
		/* What is no whole page is none. */
		CHECK(!slv_ranges_hit(&p.runs, PAGES * SLV_PAGE, 100));
		slv_pages_free(&p);
	}
	check_case("%s", "");
}

static void
bounded(void)
{
	static const uint8_t zeros[SLV_PAGE], ones[1] = { 1 };
	struct slv_pages p = { 0 };
	struct slv_err err = { 0 };

	for (uint64_t i = 0; i < 2 * SLV_PAGES_RUNS + 10; i++) {
		uint64_t off = 2 * i * SLV_PAGE;

		slv_pages_add(&p, off, zeros, SLV_PAGE, &err);
		slv_pages_add(&p, off + SLV_PAGE, ones, 1, &err);
		slv_pages_add(
		    &p, off + SLV_PAGE + 1, zeros, SLV_PAGE - 1, &err);
	}
	CHECK_U64(p.runs.n, SLV_PAGES_RUNS);
	slv_pages_free(&p);
}

CU_TestInfo pages_tests[] = {
	{ "however cut", however_cut },
	{ "bounded", bounded },
	CU_TEST_INFO_NULL,
};
