/* test_catalog.c - extents tile the input, whatever is done to them. */
#include <string.h>
#include <time.h>

#include "core/catalog/catalog.h"
#include "core/format/format.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define SPACE 200
#define MANY  200000 /* extents; going over all for each is minutes */
#define SOON  10     /* seconds of a slow machine that are enough otherwise */

/* No gap, no overlap, nothing empty, neighbours differ, sums add up. */
static void
check_tiles(const struct slv_catalog *c)
{
	uint64_t sums[SLV_FATES] = { 0 }, at = 0, all = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];

		CHECK_U64(x->off, at);
		CHECK(x->len > 0);
		CHECK(i == 0 || x[-1].fate != x->fate || x[-1].part != x->part);
		at += x->len;
		sums[x->fate] += x->len;
	}
	CHECK_U64(at, c->end);
	for (int f = 0; f < SLV_FATES; f++) {
		CHECK_U64(c->sums[f], sums[f]);
		all += c->sums[f];
	}
	CHECK_U64(all, c->end);
}

static void
neighbours_merge(void)
{
	struct slv_catalog c = { 0 };
	struct slv_err err = { 0 };

	slv_catalog_add(&c, 10, SLV_KEPT, SLV_PART_DATA, &err);
	slv_catalog_add(&c, 0, SLV_LOST, SLV_PART_DATA, &err);
	slv_catalog_add(&c, 5, SLV_KEPT, SLV_PART_DATA, &err);
	CHECK_U64(c.n, 1);
	slv_catalog_add(&c, 5, SLV_KEPT, SLV_PART_INDEX, &err);
	CHECK_U64(c.n, 2);
	check_tiles(&c);
	CHECK_U64(slv_catalog_find(&c, 0), 0);
	CHECK_U64(slv_catalog_find(&c, 14), 0);
	CHECK_U64(slv_catalog_find(&c, 15), 1);
	CHECK_U64(slv_catalog_find(&c, 19), 1);
	slv_catalog_free(&c);
	CHECK(c.at == NULL && c.end == 0);
}

static void
as_an_array_of_fates(void)
{
	for (uint64_t seed = 0; seed < 200 && !check_enough(); seed++) {
		uint8_t fates[SPACE], got[SPACE];
		struct slv_catalog c = { 0 };
		struct slv_err err = { 0 };
		struct dice d = { seed };

		check_case("seed %u", (unsigned)seed);
		while (c.end < SPACE) {
			enum slv_fate f =
			    (enum slv_fate)dice_below(&d, SLV_FATES);
			uint64_t n = dice_below(&d, 30);

			if (n > SPACE - c.end)
				n = SPACE - c.end;
			memset(fates + c.end, (int)f, n);
			CHECK_OK(slv_catalog_add(&c, n, f,
			             (unsigned)dice_below(&d, 2), &err),
			    &err);
		}
		for (int i = 0; i < 10; i++) {
			enum slv_fate f =
			    (enum slv_fate)dice_below(&d, SLV_FATES);
			uint64_t off = dice_below(&d, SPACE);
			uint64_t n = dice_below(&d, SPACE - off + 1);

			memset(fates + off, (int)f, n);
			CHECK_OK(slv_catalog_set(&c, off, n, f, &err), &err);
			check_tiles(&c);
		}
		for (uint64_t i = 0; i < SPACE; i++)
			got[i] = (uint8_t)c.at[slv_catalog_find(&c, i)].fate;
		CHECK_BYTES(got, SPACE, fates, SPACE);
		slv_catalog_free(&c);
	}
	check_case("%s", "");
}

/* Queued changes have the effect of the same changes made one by one, and leave
 * the same extents. */
static void
queued_as_one_by_one(void)
{
	for (uint64_t seed = 0; seed < 400 && !check_enough(); seed++) {
		struct slv_catalog one = { 0 }, many = { 0 };
		struct slv_err err = { 0 };
		struct dice d = { seed };
		int changes = (int)dice_below(&d, 20);

		check_case("seed %u", (unsigned)seed);
		while (one.end < SPACE) {
			enum slv_fate f =
			    (enum slv_fate)dice_below(&d, SLV_FATES);
			uint64_t n = 1 + dice_below(&d, 30);
			unsigned part = (unsigned)dice_below(&d, 2);

			if (n > SPACE - one.end)
				n = SPACE - one.end;
			slv_catalog_add(&one, n, f, part, &err);
			slv_catalog_add(&many, n, f, part, &err);
		}
		for (int i = 0; i < changes; i++) {
			enum slv_fate f =
			    (enum slv_fate)dice_below(&d, SLV_FATES);
			uint64_t off = dice_below(&d, SPACE);
			uint64_t n = dice_below(&d, SPACE - off + 1);

			slv_catalog_set(&one, off, n, f, &err);
			CHECK_OK(
			    slv_catalog_queue(&many, off, n, f, &err), &err);
		}
		CHECK_OK(slv_catalog_apply(&many, &err), &err);
		check_tiles(&many);
		CHECK_U64(many.n_queue, 0);
		CHECK(memcmp(one.sums, many.sums, sizeof(one.sums)) == 0);
		if (CHECK_U64(many.n, one.n)) {
			for (size_t i = 0; i < one.n; i++) {
				CHECK_U64(many.at[i].off, one.at[i].off);
				CHECK_U64(many.at[i].fate, one.at[i].fate);
				CHECK_U64(many.at[i].part, one.at[i].part);
			}
		}
		slv_catalog_free(&one);
		slv_catalog_free(&many);
	}
	check_case("%s", "");
}

/* Every other extent becomes like its neighbours: one by one, each change would
 * move all extents after it. */
static void
queued_changes_move_nothing(void)
{
	struct slv_catalog c = { 0 };
	struct slv_err err = { 0 };

	for (int i = 0; i < MANY; i++) {
		slv_catalog_add(&c, 1, SLV_LOST, SLV_PART_DATA, &err);
		slv_catalog_add(&c, 1, SLV_KEPT, SLV_PART_DATA, &err);
	}
	for (uint64_t at = 1; at < c.end; at += 2)
		CHECK_OK(slv_catalog_queue(&c, at, 1, SLV_LOST, &err), &err);
	CHECK_U64(c.n, 2 * MANY);
	CHECK_OK(slv_catalog_apply(&c, &err), &err);
	CHECK_U64(c.n, 1);
	CHECK(c.moved <= 2 * MANY);
	CHECK_U64(c.sums[SLV_LOST], 2 * MANY);
	slv_catalog_free(&c);
}

/* Ranges that contain each other: each queued later covers all that were queued
 * before, and no byte is changed twice. */
static void
queued_changes_nest(void)
{
	struct slv_catalog c = { 0 };
	struct slv_err err = { 0 };
	clock_t from = clock();

	slv_catalog_add(&c, 4 * MANY, SLV_LOST, SLV_PART_DATA, &err);
	for (uint64_t at = 2 * MANY; at-- > 0;)
		CHECK_OK(slv_catalog_queue(&c, at, 4 * MANY - 2 * at,
		             at % 2 == 0 ? SLV_KEPT : SLV_REBUILT, &err),
		    &err);
	CHECK_OK(slv_catalog_apply(&c, &err), &err);
	CHECK(clock() - from < (clock_t)SOON * CLOCKS_PER_SEC);
	CHECK_U64(c.n, 1);
	CHECK_U64(c.sums[SLV_KEPT], 4 * MANY);
	slv_catalog_free(&c);
	from = clock();
	slv_catalog_add(&c, 4 * MANY, SLV_LOST, SLV_PART_DATA, &err);
	for (uint64_t at = 0; at < 2 * MANY; at++)
		CHECK_OK(slv_catalog_queue(&c, at, 4 * MANY - 2 * at,
		             at % 2 == 0 ? SLV_KEPT : SLV_REBUILT, &err),
		    &err);
	CHECK_OK(slv_catalog_apply(&c, &err), &err);
	CHECK(clock() - from < (clock_t)SOON * CLOCKS_PER_SEC);
	CHECK_U64(c.n, 4 * MANY - 1);
	check_tiles(&c);
	slv_catalog_free(&c);
}

/* A log can be made so that as many extents change as there are. */
static void
changes_are_local(void)
{
	struct slv_catalog c = { 0 };
	struct slv_err err = { 0 };

	for (int i = 0; i < MANY; i++) {
		slv_catalog_add(&c, 2, SLV_KEPT, SLV_PART_DATA, &err);
		slv_catalog_add(&c, 1, SLV_KEPT, SLV_PART_INDEX, &err);
		CHECK_OK(
		    slv_catalog_set(&c, c.end - 1, 1, SLV_REBUILT, &err), &err);
	}
	CHECK_U64(c.n, 2 * MANY);
	for (uint64_t at = 0; at < c.end; at += 3)
		CHECK_OK(slv_catalog_set(&c, at, 2, SLV_REBUILT, &err), &err);
	CHECK_U64(c.n, 2 * MANY);
	CHECK_U64(c.sums[SLV_REBUILT], c.end);
	CHECK(c.moved <= 2 * MANY);
	check_tiles(&c);
	slv_catalog_free(&c);
}

static void
fate_names(void)
{
	CHECK_STR(slv_fate_name(SLV_KEPT), "kept");
	CHECK_STR(slv_fate_name(SLV_REBUILT), "rebuilt");
	CHECK_STR(slv_fate_name(SLV_LOST), "lost");
	CHECK_STR(slv_fate_name(SLV_FILLER), "filler");
	CHECK_STR(slv_fate_name(SLV_FOREIGN), "foreign");
}

CU_TestInfo catalog_tests[] = {
	{ "neighbours merge", neighbours_merge },
	{ "as an array of fates", as_an_array_of_fates },
	{ "queued as one by one", queued_as_one_by_one },
	{ "queued changes move nothing", queued_changes_move_nothing },
	{ "queued changes nest", queued_changes_nest },
	{ "changes are local", changes_are_local },
	{ "names of fates", fate_names },
	CU_TEST_INFO_NULL,
};
