/* test_plan.c - building a plan and asking it questions. */
#include <string.h>

#include "core/plan/plan.h"
#include "support/check.h"
#include "unit/suites.h"

static enum slv_status
make_nothing(const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *err)
{
	(void)ctx;
	(void)arg;
	(void)out;
	(void)err;
	return SLV_OK;
}

/* Segments tile the output. */
static void
check_segments(const struct slv_plan *p)
{
	uint64_t at = 0;

	for (size_t i = 0; i < p->n; i++) {
		CHECK_U64(p->at[i].out, at);
		CHECK(p->at[i].len > 0);
		at += p->at[i].len;
	}
	CHECK_U64(p->size, at);
}

/* An empty plan of an input of 100 bytes. */
static void
set_up(struct slv_plan *p)
{
	static const uint8_t bytes[100];
	struct slv_source *in = NULL;

	CHECK_OK(slv_source_memory(bytes, sizeof(bytes), &in, NULL), NULL);
	slv_plan_init(p, in, SLV_SHA1);
}

static void
take_down(struct slv_plan *p)
{
	struct slv_source *in = p->input;

	slv_plan_free(p);
	slv_source_close(in);
}

static void
neighbours_merge(void)
{
	struct slv_err err = { 0 };
	struct slv_plan p;

	set_up(&p);
	slv_plan_copy(&p, 0, 10, &err);
	slv_plan_copy(&p, 10, 20, &err);
	CHECK_U64(p.n, 1);
	slv_plan_copy(&p, 40, 5, &err);
	slv_plan_copy(&p, 45, 0, &err);
	CHECK_U64(p.n, 2);
	slv_plan_bytes(&p, "abc", 3, &err);
	slv_plan_bytes(&p, "", 0, &err);
	slv_plan_bytes(&p, "de", 2, &err);
	CHECK_U64(p.n, 3);
	CHECK_BYTES(p.literals.at, p.literals.len, "abcde", 5);
	slv_plan_fill(&p, 0xaa, 7, &err);
	slv_plan_fill(&p, 0xaa, 0, &err);
	slv_plan_bytes(&p, "f", 1, &err);
	CHECK_U64(p.n, 5);
	CHECK_U64(p.at[4].arg, 5);
	CHECK_OK(slv_plan_make(&p, 4, make_nothing, NULL, NULL, 1, &err), &err);
	CHECK_OK(slv_plan_make(&p, 0, make_nothing, NULL, NULL, 1, &err), &err);
	CHECK_OK(slv_plan_digest(&p, &err), &err);
	CHECK_U64(p.digest_off, p.size - 20);
	check_segments(&p);
	CHECK_U64(slv_plan_prefix(&p), 30);
	CHECK_STATUS(slv_plan_make(&p, SLV_MADE_MAX + 1, make_nothing, NULL,
	                 NULL, 0, &err),
	    SLV_E_BUG, &err);
	take_down(&p);
	CHECK(p.at == NULL && p.n == 0);
}

static void
identity(void)
{
	struct slv_err err = { 0 };
	struct slv_plan p;

	set_up(&p);
	CHECK(!slv_plan_is_identity(&p));
	CHECK_U64(slv_plan_prefix(&p), 0);
	slv_plan_copy(&p, 0, 99, &err);
	CHECK(!slv_plan_is_identity(&p));
	slv_plan_copy(&p, 99, 1, &err);
	CHECK(slv_plan_is_identity(&p));
	slv_plan_bytes(&p, "x", 1, &err);
	CHECK(!slv_plan_is_identity(&p));
	take_down(&p);
	/* As long as the input, but not the input. */
	set_up(&p);
	slv_plan_copy(&p, 50, 50, &err);
	slv_plan_copy(&p, 0, 50, &err);
	CHECK(!slv_plan_is_identity(&p));
	CHECK_U64(slv_plan_prefix(&p), 0);
	take_down(&p);
}

/* Bytes are only put after those of the segment before where nothing is
 * after them: a segment that was replaced may. */
static void
bytes_after_replacing(void)
{
	struct slv_source *out = NULL;
	struct slv_err err = { 0 };
	struct slv_plan p;
	uint8_t got[7];

	set_up(&p);
	slv_plan_bytes(&p, "ab", 2, &err);
	slv_plan_fill(&p, '-', 1, &err);
	slv_plan_bytes(&p, "cd", 2, &err);
	CHECK_OK(slv_plan_replace(&p, 0, "xy", &err), &err);
	CHECK_OK(slv_plan_bytes(&p, "ef", 2, &err), &err);
	check_segments(&p);
	if (CHECK_U64(p.size, 7)
	    && CHECK_OK(slv_plan_source(&p, &out, &err), &err)) {
		CHECK_OK(slv_source_read(out, 0, got, 7, &err), &err);
		CHECK_BYTES(got, 7, "xy-cdef", 7);
		slv_source_close(out);
	}
	take_down(&p);
}

CU_TestInfo plan_tests[] = {
	{ "neighbours merge", neighbours_merge },
	{ "identity", identity },
	{ "bytes after replacing", bytes_after_replacing },
	CU_TEST_INFO_NULL,
};
