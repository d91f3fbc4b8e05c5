/* test_tee.c - the output begun while the input is read. */
#include <errno.h>

#include "core/digest/hasher.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define SIZE 1500000 /* enough for two threads */

struct fixture {
	struct blob input;
	struct slv_source *source;
	struct slv_hasher hasher;
	struct slv_tee tee;
};

static enum slv_status
open_out(void *ctx, struct slv_sink **out, struct slv_err *err)
{
	struct slv_target target = { .path = scratch_path("out") };

	(void)ctx;
	return slv_sink_atomic(&target, out, err);
}

/* Read all of the input with a tee on it. */
static void
set_up(struct fixture *f, bool spread)
{
	struct slv_err err = { 0 };
	struct dice dice = { 4 };
	bool open;

	*f = (struct fixture){ .tee = { .open = open_out } };
	while (f->input.n < SIZE)
		blob_byte(&f->input, (uint8_t)dice_roll(&dice));
	CHECK_OK(slv_source_memory(f->input.at, SIZE, &f->source, &err), &err);
	CHECK_OK(
	    slv_hasher_init(&f->hasher, f->source, SLV_SHA1, NULL, &err), &err);
	CHECK_OK(slv_tee_open(&f->tee, &open, &err), &err);
	CHECK(open);
	f->hasher.tee = &f->tee;
	if (spread)
		slv_hasher_spread(&f->hasher);
	CHECK_OK(slv_hasher_to(&f->hasher, SIZE, &err), &err);
	slv_hasher_rest(&f->hasher);
}

static void
tear_down(struct fixture *f)
{
	slv_tee_free(&f->tee);
	slv_hasher_free(&f->hasher);
	slv_source_close(f->source);
	blob_free(&f->input);
	scratch_clean();
}

/* What is taken is the beginning of the input, as long as was asked for. */
static void
take_some(bool spread, uint64_t n)
{
	struct slv_sink *sink;
	struct slv_err err = { 0 };
	struct fixture f;

	set_up(&f, spread);
	CHECK(!f.tee.failed);
	CHECK_U64(f.tee.n, SIZE);
	sink = slv_tee_take(&f.tee, n);
	if (CHECK(sink != NULL)) {
		CHECK_OK(sink->ops->write(sink, "end", 3, &err), &err);
		f.input.n = n;
		blob_add(&f.input, "end", 3);
		CHECK_OK(sink->ops->commit(sink, &err), &err);
		CHECK(scratch_holds("out", f.input.at, f.input.n));
	}
	tear_down(&f);
}

static void
takes_all_or_less(void)
{
	for (int spread = 0; spread < 2; spread++) {
		take_some(spread, SIZE);
		take_some(spread, SIZE - 1);
		take_some(spread, 1000);
		take_some(spread, 0);
	}
}

static void
leaves_nothing_behind(void)
{
	struct fixture f;

	set_up(&f, true);
	CHECK_U64(scratch_count(".salvor-"), 1);
	CHECK(slv_tee_take(&f.tee, SIZE + 1) == NULL);
	CHECK(f.tee.sink == NULL);
	CHECK_U64(scratch_count(""), 0);
	tear_down(&f);
	set_up(&f, false);
	slv_tee_free(&f.tee);
	CHECK_U64(scratch_count(""), 0);
	tear_down(&f);
}

/* A disk that is full in the middle costs the head start, nothing else. */
static void
a_failed_write_is_no_failure(void)
{
	const struct fake_plan plan = {
		.k = 2,
		.calls = FAKE_BIT(FAKE_WRITE),
		.os = ENOSPC,
	};
	struct fake_result result;
	struct fixture f;

	fake_on(&plan);
	set_up(&f, false);
	fake_off(&result);
	CHECK_U64(result.fired, 1);
	CHECK(f.tee.failed);
	CHECK_U64(f.hasher.now.off, SIZE);
	CHECK(slv_tee_take(&f.tee, 0) == NULL);
	CHECK_U64(scratch_count(""), 0);
	tear_down(&f);
}

CU_TestInfo tee_tests[] = {
	{ "takes all or less", takes_all_or_less },
	{ "leaves nothing behind", leaves_nothing_behind },
	{ "a failed write is no failure", a_failed_write_is_no_failure },
	CU_TEST_INFO_NULL,
};
