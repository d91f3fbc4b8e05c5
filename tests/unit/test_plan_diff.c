/* test_plan_diff.c - what a plan changes in the file that it was made from. */
#include <string.h>

#include "core/format/format.h"
#include "core/plan/plan_diff.h"
#include "support/check.h"
#include "unit/suites.h"

/* A file of 4,000 bytes, and a plan on it. */
struct bench {
	uint8_t bytes[4000];
	struct slv_source *in;
	struct slv_plan plan;
	struct slv_catalog catalog;
	struct slv_err err;
};

static void
set_up(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	for (size_t i = 0; i < sizeof(b->bytes); i++)
		b->bytes[i] = (uint8_t)(i * 7);
	CHECK_OK(slv_source_memory(b->bytes, sizeof(b->bytes), &b->in, &b->err),
	    &b->err);
	slv_plan_init(&b->plan, b->in, SLV_SHA1);
}

static void
take_down(struct bench *b)
{
	slv_catalog_free(&b->catalog);
	slv_plan_free(&b->plan);
	slv_source_close(b->in);
}

static void
check_change(const struct bench *b, uint64_t from, uint64_t off, uint64_t end)
{
	struct slv_range r = { 0, 0 };
	bool found = slv_plan_next_change(&b->plan, from, &r);

	check_case("from %u", (unsigned)from);
	CHECK(found == (end > 0));
	CHECK_U64(r.off, off);
	CHECK_U64(r.end, end);
	check_case("%s", "");
}

static void
changes(void)
{
	struct bench b;

	set_up(&b);
	check_change(&b, 0, 0, 0);
	slv_plan_copy(&b.plan, 0, 1000, &b.err);
	check_change(&b, 0, 0, 0);
	slv_plan_bytes(&b.plan, "abc", 3, &b.err);
	slv_plan_fill(&b.plan, 0, 7, &b.err);
	slv_plan_copy(&b.plan, 1010, 90, &b.err);
	slv_plan_copy(&b.plan, 0, 50, &b.err);
	check_change(&b, 0, 1000, 1010);
	check_change(&b, 1005, 1005, 1010);
	check_change(&b, 1010, 1100, 1150);
	check_change(&b, 1149, 1149, 1150);
	check_change(&b, 1150, 0, 0);
	take_down(&b);
}

/* The input is a file with patches. */
static void
patched(void)
{
	struct slv_problem p = { .len = 1 };
	struct slv_mends m = { 0 };
	struct bench b;

	set_up(&b);
	slv_mends_add(&m, 300, "abcd", 4, &p, &b.err);
	slv_mends_add(&m, 998, "ef", 2, &p, &b.err);
	slv_mends_add(&m, 2000, "gh", 2, &p, &b.err);
	slv_mends_sort(&m);
	b.plan.mends = &m;
	slv_plan_copy(&b.plan, 0, 999, &b.err);
	slv_plan_bytes(&b.plan, "x", 1, &b.err);
	slv_plan_copy(&b.plan, 1000, 1500, &b.err);
	check_change(&b, 0, 300, 304);
	check_change(&b, 302, 302, 304);
	check_change(&b, 304, 998, 999);
	check_change(&b, 999, 999, 1000);
	check_change(&b, 1000, 2000, 2002);
	check_change(&b, 2002, 0, 0);
	slv_mends_free(&m);
	take_down(&b);
}

static void
patches_are_narrow(void)
{
	struct slv_ranges r = { 0 };
	struct bench b;

	set_up(&b);
	slv_plan_copy(&b.plan, 0, 10, &b.err);
	/* The same bytes, except for three. */
	b.bytes[100] ^= 1;
	b.bytes[500] ^= 1;
	b.bytes[1013] ^= 1;
	slv_plan_bytes(&b.plan, b.bytes + 10, 3990, &b.err);
	b.bytes[100] ^= 1;
	b.bytes[500] ^= 1;
	b.bytes[1013] ^= 1;
	slv_plan_bytes(&b.plan, "behind the end", 14, &b.err);
	CHECK_OK(slv_plan_patches(&b.plan, b.in, &r, &b.err), &b.err);
	if (CHECK_U64(r.n, 2)) {
		CHECK_U64(r.at[0].off, 100);
		CHECK_U64(r.at[0].end, 501);
		CHECK_U64(r.at[1].off, 1013);
		CHECK_U64(r.at[1].end, 1014);
	}
	slv_ranges_free(&r);
	take_down(&b);
}

/* 0..1000 data, ..1100 index, ..4000 data, of which ..1200 is lost */
static void
fill_catalog(struct bench *b)
{
	slv_catalog_add(&b->catalog, 1000, SLV_KEPT, SLV_PART_DATA, &b->err);
	slv_catalog_add(&b->catalog, 100, SLV_REBUILT, SLV_PART_INDEX, &b->err);
	slv_catalog_add(&b->catalog, 100, SLV_LOST, SLV_PART_DATA, &b->err);
	slv_catalog_add(&b->catalog, 2800, SLV_KEPT, SLV_PART_DATA, &b->err);
}

static void
data_moves(void)
{
	struct slv_range what;
	struct bench b;
	uint64_t to = 0;

	set_up(&b);
	fill_catalog(&b);
	slv_plan_copy(&b.plan, 0, 1000, &b.err);
	CHECK(!slv_plan_moves(&b.plan, &b.catalog, &what, &to));
	/* The index is shifted, and what it repeats of the data. */
	slv_plan_bytes(&b.plan, "x", 1, &b.err);
	slv_plan_copy(&b.plan, 1000, 100, &b.err);
	slv_plan_copy(&b.plan, 20, 99, &b.err);
	CHECK(!slv_plan_moves(&b.plan, &b.catalog, &what, &to));
	slv_plan_copy(&b.plan, 1200, 2800, &b.err);
	CHECK(!slv_plan_moves(&b.plan, &b.catalog, &what, &to));
	slv_plan_free(&b.plan);
	slv_plan_init(&b.plan, b.in, SLV_SHA1);
	/* What was lost is closed up. */
	slv_plan_copy(&b.plan, 0, 1000, &b.err);
	slv_plan_copy(&b.plan, 1200, 2800, &b.err);
	CHECK(slv_plan_moves(&b.plan, &b.catalog, &what, &to));
	CHECK_U64(what.off, 1200);
	CHECK_U64(what.end, 4000);
	CHECK_U64(to, 1000);
	/* A unit that holds records is recorded, too. */
	b.catalog.at[b.catalog.n - 1].part = SLV_PART_PACK;
	CHECK(slv_plan_moves(&b.plan, &b.catalog, &what, &to));
	CHECK_U64(what.off, 1200);
	take_down(&b);
}

CU_TestInfo plan_diff_tests[] = {
	{ "changes", changes },
	{ "patched", patched },
	{ "patches are narrow", patches_are_narrow },
	{ "data moves", data_moves },
	CU_TEST_INFO_NULL,
};
