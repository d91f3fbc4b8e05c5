/* test_patch.c - stretches that a driver sets aside. */
#include "core/plan/patch.h"
#include "support/check.h"
#include "unit/suites.h"

static void
set_aside(struct slv_mends *m, uint64_t off, uint64_t end, enum slv_fate fate)
{
	struct slv_err err = { 0 };
	const struct slv_aside a = { .off = off, .end = end, .fate = fate };

	CHECK_OK(slv_mends_add_aside(m, &a, &err), &err);
}

static void
stretches_set_aside(void)
{
	struct slv_mends m = { 0 };

	CHECK(slv_mends_aside(NULL, 5) == NULL);
	CHECK(slv_mends_aside(&m, 5) == NULL);
	set_aside(&m, 50, 55, SLV_FILLER); /* a part of the next */
	set_aside(&m, 50, 60, SLV_FOREIGN);
	set_aside(&m, 10, 20, SLV_FILLER);
	set_aside(&m, 20, 30, SLV_LOST);
	/* It overlaps the one before it: it is dropped. */
	set_aside(&m, 55, 70, SLV_LOST);
	slv_mends_sort(&m);
	CHECK_U64(m.n_aside, 3);
	for (uint64_t off = 0; off < 80; off++) {
		const struct slv_aside *a = slv_mends_aside(&m, off);

		check_case("at %d", (int)off);
		if (off >= 10 && off < 20)
			CHECK(a != NULL && a->fate == SLV_FILLER);
		else if (off >= 20 && off < 30)
			CHECK(a != NULL && a->fate == SLV_LOST);
		else if (off >= 50 && off < 60)
			CHECK(a != NULL && a->fate == SLV_FOREIGN);
		else
			CHECK(a == NULL);
	}
	check_case("%s", "");
	slv_mends_free(&m);
	CHECK(m.aside == NULL && m.n_aside == 0);
}

CU_TestInfo patch_tests[] = {
	{ "stretches set aside", stretches_set_aside },
	CU_TEST_INFO_NULL,
};
