/* test_tiles.c - few tiles, that still account for every byte. */
#include "core/catalog/tiles.h"
#include "core/format/format.h"
#include "support/check.h"
#include "unit/suites.h"

#define MANY 200000

/* Tiles cover the catalog, and their bytes are its sums. */
static void
check_cover(const struct slv_tiles *t, const struct slv_catalog *c)
{
	uint64_t sums[SLV_FATES] = { 0 }, at = 0;

	CHECK(t->n <= SLV_TILES_MAX);
	for (size_t i = 0; i < t->n; i++) {
		uint64_t all = 0;

		CHECK_U64(t->at[i].off, at);
		CHECK(t->at[i].len > 0);
		for (int f = 0; f < SLV_FATES; f++) {
			sums[f] += t->at[i].bytes[f];
			all += t->at[i].bytes[f];
		}
		CHECK_U64(all, t->at[i].len);
		at += t->at[i].len;
	}
	CHECK_U64(at, c->end);
	for (int f = 0; f < SLV_FATES; f++)
		CHECK_U64(sums[f], c->sums[f]);
}

/* n extents; every third is long, the others short, of changing fates. */
static void
fill(struct slv_catalog *c, size_t n, uint64_t longest)
{
	struct slv_err err = { 0 };

	for (size_t i = 0; i < n; i++)
		CHECK_OK(
		    slv_catalog_add(c, i % 3 == 0 ? longest : 1 + i % 7,
		        (enum slv_fate)(i % SLV_FATES), SLV_PART_DATA, &err),
		    &err);
}

static void
few_are_exact(void)
{
	struct slv_catalog c = { 0 };
	struct slv_tiles t = { 0 };
	struct slv_err err = { 0 };

	fill(&c, SLV_TILES_EXACT, 1000);
	CHECK_OK(slv_tiles_make(&t, &c, &err), &err);
	CHECK_U64(t.n, c.n);
	for (size_t i = 0; i < t.n; i++)
		CHECK_NAME(
		    slv_fate_name, slv_tile_fate(&t.at[i]), c.at[i].fate);
	check_cover(&t, &c);
	slv_tiles_free(&t);
	slv_catalog_free(&c);
}

static void
many_share(void)
{
	static const uint64_t longest[] = { 1, 8, 100, 1000000 };

	for (size_t i = 0; i < 4; i++) {
		struct slv_catalog c = { 0 };
		struct slv_tiles t = { 0 };
		struct slv_err err = { 0 };
		size_t mixed = 0;

		check_case("longest %llu", (unsigned long long)longest[i]);
		fill(&c, MANY, longest[i]);
		CHECK_OK(slv_tiles_make(&t, &c, &err), &err);
		check_cover(&t, &c);
		for (size_t k = 0; k < t.n; k++)
			mixed += slv_tile_fate(&t.at[k]) == SLV_FATES;
		CHECK(mixed > 0);
		slv_tiles_free(&t);
		slv_catalog_free(&c);
	}
}

/* What is long stays alone among any number of short ones. */
static void
long_ones_stay(void)
{
	struct slv_catalog c = { 0 };
	struct slv_tiles t = { 0 };
	struct slv_err err = { 0 };
	bool found = false;

	fill(&c, 3000, 1);
	slv_catalog_add(&c, 1000000, SLV_KEPT, SLV_PART_DATA, &err);
	slv_catalog_add(&c, 5, SLV_LOST, SLV_PART_DATA, &err);
	CHECK_OK(slv_tiles_make(&t, &c, &err), &err);
	check_cover(&t, &c);
	for (size_t i = 0; i < t.n; i++)
		found |= slv_tile_fate(&t.at[i]) == SLV_KEPT
		    && t.at[i].len == 1000000;
	CHECK(found);
	slv_tiles_free(&t);
	slv_catalog_free(&c);
}

/* Fates count, parts of the log do not; of nothing there is no tile. */
static void
neighbours_are_one(void)
{
	struct slv_catalog c = { 0 };
	struct slv_tiles t = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_tiles_make(&t, &c, &err), &err);
	CHECK_U64(t.n, 0);
	slv_catalog_add(&c, 10, SLV_KEPT, SLV_PART_DATA, &err);
	slv_catalog_add(&c, 10, SLV_KEPT, SLV_PART_INDEX, &err);
	CHECK_OK(slv_tiles_make(&t, &c, &err), &err);
	CHECK_U64(t.n, 1);
	check_cover(&t, &c);
	slv_tiles_free(&t);
	slv_catalog_free(&c);
}

CU_TestInfo tiles_tests[] = {
	{ "few are exact", few_are_exact },
	{ "many share", many_share },
	{ "long ones stay", long_ones_stay },
	{ "neighbours are one", neighbours_are_one },
	CU_TEST_INFO_NULL,
};
