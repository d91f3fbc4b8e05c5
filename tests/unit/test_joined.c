/* test_joined.c - a source that is made of pieces of others. */
#include "core/copies/choose.h"
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

/* ---- choices that no unit holds ------------------------------------------- */

#define UNITS 200
#define EACH  100 /* bytes of a unit, and between two choices */

static unsigned questions;

static enum slv_status
confirm(const struct slv_scan *s, const uint8_t *bytes, size_t n, uint64_t *len,
    bool *yes, struct slv_err *err)
{
	(void)s;
	(void)bytes;
	(void)n;
	(void)err;
	questions++;
	*len = EACH;
	*yes = true;
	return SLV_OK;
}

/* A log was given up after its last unit: the units before a choice are examined for
 * the first one there, not for each. */
static void
choices_after_the_last_unit(void)
{
	static const struct slv_packs packs = { .confirm = confirm };
	static const struct slv_format format = { .packs = &packs };
	static uint8_t bytes[10 * UNITS * EACH];
	static struct slv_noted units[UNITS];
	static struct slv_choice all[9 * UNITS];
	struct slv_choices choices = { .at = all, .n = 9 * UNITS };
	struct slv_joint joint = { .n = 0 };
	struct slv_trial trial = { .joint = &joint };
	struct slv_copy copy = { .units = units, .n = UNITS };
	struct slv_window window;
	struct slv_err err = { 0 };

	CHECK_OK(
	    slv_source_memory(bytes, sizeof(bytes), &copy.source, &err), &err);
	for (uint64_t at = 0; at < sizeof(bytes); at += EACH)
		CHECK_OK(
		    slv_joint_apart(&joint, copy.source, at, EACH, &err), &err);
	for (size_t i = 0; i < UNITS; i++)
		units[i] = (struct slv_noted){ .off = i * EACH, .len = EACH };
	for (size_t i = 0; i < choices.n; i++)
		all[i] = (struct slv_choice){
			.piece = UNITS + i,
			.doubt = SLV_DOUBT_FULL,
		};
	slv_window_init(&window, copy.source, NULL);
	copy.scan.format = &format;
	copy.scan.source = copy.source;
	copy.scan.window = &window;
	CHECK_OK(slv_choices_confirm(&choices, &trial, &copy, &err), &err);
	CHECK(questions > 0 && questions < UNITS);
	/* One in a unit is still confirmed. */
	all[0].piece = UNITS - 1;
	CHECK_OK(slv_choices_confirm(&choices, &trial, &copy, &err), &err);
	CHECK_U64(joint.confirmed.n, 1);
	slv_window_free(&window);
	slv_source_close(copy.source);
	slv_joint_free(&joint);
}

CU_TestInfo joined_tests[] = {
	{ "pieces read as one", pieces_read_as_one },
	{ "bad bytes stay bad", bad_bytes_stay_bad },
	{ "choices after the last unit", choices_after_the_last_unit },
	CU_TEST_INFO_NULL,
};
