/* test_joined.c - a source that is made of pieces of others. */
#include "core/copies/joined.h"

#include <string.h>

#include "support/check.h"
#include "unit/suites.h"

static void
pieces_read_as_one(void)
{
	struct slv_source *a = NULL, *b = NULL, *s = NULL;
	struct slv_joint j = { .n = 0 };
	struct slv_err err = { 0 };
	char got[16];

	CHECK_OK(slv_source_memory("abcdef", 6, &a, &err), &err);
	CHECK_OK(slv_source_memory("ABCDEF", 6, &b, &err), &err);
	CHECK_OK(slv_joint_add(&j, a, 0, 2, &err), &err);
	CHECK_OK(slv_joint_add(&j, a, 2, 1, &err), &err);
	CHECK_U64(j.n, 1);
	CHECK_OK(slv_joint_apart(&j, a, 3, 1, &err), &err);
	CHECK_OK(slv_joint_bytes(&j, "--", 2, &err), &err);
	CHECK_OK(slv_joint_add(&j, b, 1, 4, &err), &err);
	CHECK_OK(slv_joint_add(&j, b, 0, 0, &err), &err);
	CHECK_U64(j.n, 4);
	CHECK_U64(slv_joint_find(&j, 4), 2);
	CHECK_OK(slv_joined_source(&j, "pieces", &s, &err), &err);
	CHECK_U64(s->size, 10);
	CHECK_OK(slv_source_read(s, 0, got, 10, &err), &err);
	CHECK_BYTES(got, 10, "abcd--BCDE", 10);
	for (size_t off = 0; off < 10; off++) {
		CHECK_OK(slv_source_read(s, 9 - off, got, 1, &err), &err);
		CHECK_BYTES(got, 1, &"abcd--BCDE"[9 - off], 1);
	}
	slv_source_close(s);
	slv_source_close(a);
	slv_source_close(b);
	slv_joint_free(&j);
}

/* What cannot be read of a piece cannot be read of the whole, wherever it
 * is there; what is torn neither. */
static void
bad_bytes_stay_bad(void)
{
	struct slv_source *a = NULL, *s = NULL;
	struct slv_joint j = { .n = 0 };
	struct slv_err err = { 0 };
	char got[8];

	CHECK_OK(slv_source_memory("abcdefgh", 8, &a, &err), &err);
	CHECK_OK(slv_ranges_add(&a->unreadable, 2, 2, &err), &err);
	CHECK_OK(slv_joint_bytes(&j, "12345", 5, &err), &err);
	CHECK_OK(slv_joint_add(&j, a, 3, 5, &err), &err);
	CHECK_OK(slv_ranges_add(&j.torn, 0, 1, &err), &err);
	CHECK_OK(slv_joined_source(&j, "pieces", &s, &err), &err);
	CHECK(s->is_joined);
	CHECK_U64(s->unreadable.n, 2);
	CHECK_U64(s->unrescued.n, 1);
	CHECK(slv_ranges_hit(&s->unreadable, 0, 1));
	CHECK(slv_ranges_hit(&s->unreadable, 5, 1));
	CHECK(!slv_ranges_hit(&s->unreadable, 1, 4));
	CHECK(!slv_ranges_hit(&s->unreadable, 6, 4));
	/* One that turns out to be bad later. */
	CHECK_OK(slv_ranges_add(&a->unreadable, 7, 1, &err), &err);
	CHECK_OK(slv_source_read(s, 6, got, 4, &err), &err);
	CHECK(slv_ranges_hit(&s->unreadable, 9, 1));
	slv_source_close(s);
	slv_source_close(a);
	slv_joint_free(&j);
}

CU_TestInfo joined_tests[] = {
	{ "pieces read as one", pieces_read_as_one },
	{ "bad bytes stay bad", bad_bytes_stay_bad },
	CU_TEST_INFO_NULL,
};
