/* test_plan_run.c - a plan read like a file, sealed, streamed, compared. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "core/plan/plan.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

struct fixture {
	struct blob input, want; /* want: the output, made by hand */
	struct slv_source *source;
	struct slv_hasher hasher;
	struct slv_plan plan;
};

static enum slv_status
make_letters(const void *ctx, uint64_t arg, uint8_t *out, struct slv_err *err)
{
	const char *first = ctx;

	for (size_t i = 0; i < 300; i++)
		out[i] = (uint8_t)(*first + (i + arg) % 26);
	for (size_t i = 300; i < 300 + SLV_MADE_SLACK; i++)
		out[i] = '!';
	(void)err;
	return SLV_OK;
}

/* Bytes that were checked, and whether they are to be found wrong. */
static struct {
	size_t n;
	bool wrong;
} checked;

static enum slv_status
check_letters(const void *ctx, uint64_t arg, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	const char *first = ctx;

	CHECK_U64(n, 300);
	for (size_t i = 0; i < n; i++)
		checked.n += bytes[i] == (uint8_t)(*first + (i + arg) % 26);
	return checked.wrong ? slv_fail(err, SLV_E_BUG, "wrong") : SLV_OK;
}

static void
add_letters(struct blob *b, const char *first, uint64_t arg)
{
	uint8_t letters[300 + SLV_MADE_SLACK];
	struct slv_err err = { 0 };

	CHECK_OK(make_letters(first, arg, letters, &err), &err);
	blob_add(b, letters, 300);
}

static void
add_digest(struct blob *b)
{
	struct slv_digest d;
	uint8_t out[SLV_DIGEST_MAX];

	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, b->at, b->n);
	slv_digest_get(&d, out);
	blob_add(b, out, 20);
}

/* A plan with all kinds of segments, and what it should come to. */
static void
set_up(struct fixture *f, size_t n)
{
	struct slv_err err = { 0 };
	struct dice dice = { 9 };
	struct slv_plan *p = &f->plan;

	*f = (struct fixture){ 0 };
	while (f->input.n < n)
		blob_byte(&f->input, (uint8_t)dice_roll(&dice));
	slv_source_memory(f->input.at, n, &f->source, &err);
	slv_hasher_init(&f->hasher, f->source, SLV_SHA1, NULL, &err);
	slv_plan_init(p, f->source, SLV_SHA1);
	slv_plan_copy(p, 0, n / 2, &err);
	blob_add(&f->want, f->input.at, n / 2);
	slv_plan_bytes(p, "literal", 7, &err);
	blob_add(&f->want, "literal", 7);
	slv_plan_make(p, 300, make_letters, check_letters, "A", 3, &err);
	add_letters(&f->want, "A", 3);
	slv_plan_fill(p, 0xee, 1000, &err);
	blob_fill(&f->want, 0xee, 1000);
	slv_plan_copy(p, n - 50, 50, &err);
	blob_add(&f->want, f->input.at + n - 50, 50);
	slv_plan_make(p, 300, make_letters, check_letters, "a", 0, &err);
	add_letters(&f->want, "a", 0);
	slv_plan_digest(p, &err);
	add_digest(&f->want);
	slv_plan_bytes(p, "end", 3, &err);
	blob_add(&f->want, "end", 3);
	CHECK_STATUS(err.code, SLV_OK, &err);
}

static void
tear_down(struct fixture *f)
{
	slv_plan_free(&f->plan);
	slv_hasher_free(&f->hasher);
	slv_source_close(f->source);
	blob_free(&f->input);
	blob_free(&f->want);
}

/* Random reads give the same as one of everything. */
static void
read_at_random(void)
{
	struct slv_source *out = NULL;
	struct slv_err err = { 0 };
	struct dice dice = { 10 };
	struct fixture f;
	uint8_t *buf;

	set_up(&f, 700);
	buf = must_alloc(f.want.n);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	CHECK_OK(slv_plan_source(&f.plan, &out, &err), &err);
	CHECK_U64(out->size, f.want.n);
	CHECK_OK(slv_source_read(out, 0, buf, f.want.n, &err), &err);
	CHECK_BYTES(buf, f.want.n, f.want.at, f.want.n);
	for (int i = 0; i < 20000 && !check_enough(); i++) {
		size_t off = (size_t)dice_below(&dice, f.want.n);
		size_t n = (size_t)dice_below(
		    &dice, slv_min64(f.want.n - off, 400) + 1);

		CHECK_OK(slv_source_read(out, off, buf, n, &err), &err);
		CHECK_BYTES(buf, n, f.want.at + off, n);
	}
	slv_source_close(out);
	free(buf);
	tear_down(&f);
}

/* What is made is checked once, whole, and what is wrong is a bug of ours. */
static void
made_is_checked(void)
{
	struct slv_err err = { 0 };
	struct fixture f;

	/* Long enough for pieces to end inside it. */
	for (size_t n = 400; n < 1200; n += 40) {
		set_up(&f, n);
		checked.n = 0;
		CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
		CHECK_U64(checked.n, 600);
		checked.wrong = true;
		CHECK_STATUS(
		    slv_plan_seal(&f.plan, &f.hasher, &err), SLV_E_BUG, &err);
		checked.wrong = false;
		err = (struct slv_err){ 0 };
		tear_down(&f);
	}
}

/* The seal is the same from whatever mark it could start. */
static void
seal_from_any_mark(void)
{
	for (uint64_t mark = 0; mark <= 700; mark += 50) {
		struct slv_err err = { 0 };
		struct slv_digest d;
		uint8_t whole[SLV_DIGEST_MAX];
		struct fixture f;

		set_up(&f, 700);
		slv_digest_init(&d, SLV_SHA1);
		slv_digest_add(&d, f.want.at, f.want.n);
		slv_digest_get(&d, whole);
		CHECK_OK(slv_hasher_mark(&f.hasher, mark, &err), &err);
		CHECK_OK(slv_hasher_to(&f.hasher, 700, &err), &err);
		CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
		CHECK(f.plan.sealed && f.plan.has_digest);
		CHECK_BYTES(f.plan.digest, 20, f.want.at + f.want.n - 23, 20);
		CHECK_BYTES(f.plan.whole, 20, whole, 20);
		tear_down(&f);
	}
}

/* Without a digest in it nothing is read until all of it is to be known, and
 * that may be written meanwhile. */
static void
known_without_a_seal(void)
{
	for (int to_sink = 0; to_sink < 2; to_sink++) {
		struct slv_buf buf = { 0 };
		struct slv_sink *sink = NULL;
		struct slv_err err = { 0 };
		struct slv_digest d;
		uint8_t whole[SLV_DIGEST_MAX];
		struct fixture f;

		set_up(&f, 900000);
		/* All but the digest and what follows it. */
		f.plan.n -= 2;
		f.plan.size -= 23;
		f.plan.has_digest = false;
		checked.n = 0;
		CHECK_OK(slv_hasher_mark(&f.hasher, 1000, &err), &err);
		CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
		CHECK(f.plan.sealed && !f.plan.known);
		CHECK_U64(checked.n, 0);
		CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
		CHECK_OK(
		    slv_plan_know(&f.plan, &f.hasher, to_sink ? sink : NULL,
		        slv_hasher_before(&f.hasher, 0), &err),
		    &err);
		CHECK(f.plan.known);
		CHECK_U64(checked.n, 600);
		CHECK_U64(buf.len, to_sink ? f.plan.size : 0);
		slv_digest_init(&d, SLV_SHA1);
		slv_digest_add(&d, f.want.at, f.plan.size);
		slv_digest_get(&d, whole);
		CHECK_BYTES(f.plan.whole, 20, whole, 20);
		CHECK_OK(slv_plan_run(&f.plan, sink,
		             to_sink ? &f.plan.whole_mark : NULL, NULL, &err),
		    &err);
		CHECK_BYTES(buf.at, buf.len, f.want.at, f.plan.size);
		sink->ops->discard(sink);
		slv_buf_free(&buf);
		tear_down(&f);
	}
}

/* Nobody asks a blind hasher, and what it passed is no head start. */
static void
blind_hasher(void)
{
	struct slv_err err = { 0 };
	uint8_t want[SLV_DIGEST_MAX];
	struct fixture f;

	set_up(&f, 700);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	memcpy(want, f.plan.whole, sizeof(want));
	f.hasher.blind = true;
	CHECK_OK(slv_hasher_mark(&f.hasher, 100, &err), &err);
	CHECK_OK(slv_hasher_to(&f.hasher, 300, &err), &err);
	CHECK_U64(slv_hasher_before(&f.hasher, 700)->off, 0);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	CHECK_BYTES(f.plan.whole, 20, want, 20);
	tear_down(&f);
}

static void
stream_to_a_sink(void)
{
	struct slv_buf buf = { 0 };
	struct slv_sink *sink = NULL;
	struct slv_err err = { 0 };
	struct fixture f;

	/* Larger than what is moved at once. */
	set_up(&f, 900000);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
	CHECK_OK(slv_plan_run(&f.plan, sink, NULL, NULL, &err), &err);
	CHECK_OK(sink->ops->commit(sink, &err), &err);
	CHECK_BYTES(buf.at, buf.len, f.want.at, f.want.n);
	slv_buf_free(&buf);
	tear_down(&f);
}

/* Some of the output is there already. */
static void
goes_on_from_a_mark(void)
{
	for (uint64_t mark = 0; mark <= 350; mark += 50) {
		struct slv_buf buf = { 0 };
		struct slv_sink *sink = NULL;
		struct slv_err err = { 0 };
		struct fixture f;

		set_up(&f, 700);
		CHECK_OK(slv_hasher_mark(&f.hasher, mark, &err), &err);
		CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
		CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
		CHECK_OK(sink->ops->write(sink, f.input.at, mark, &err), &err);
		CHECK_OK(slv_plan_run(&f.plan, sink,
		             slv_hasher_before(&f.hasher, mark), NULL, &err),
		    &err);
		CHECK_OK(sink->ops->commit(sink, &err), &err);
		CHECK_BYTES(buf.at, buf.len, f.want.at, f.want.n);
		slv_buf_free(&buf);
		tear_down(&f);
	}
}

/* Less of it is there than was said. */
static void
a_beginning_that_is_not_there(void)
{
	struct slv_buf buf = { 0 };
	struct slv_sink *sink = NULL;
	struct slv_err err = { 0 };
	struct fixture f;

	set_up(&f, 700);
	CHECK_OK(slv_hasher_mark(&f.hasher, 100, &err), &err);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
	CHECK_OK(sink->ops->write(sink, f.input.at, 99, &err), &err);
	CHECK_STATUS(slv_plan_run(&f.plan, sink,
	                 slv_hasher_before(&f.hasher, 100), NULL, &err),
	    SLV_E_BUG, &err);
	CHECK_U64(buf.len, 99);
	sink->ops->discard(sink);
	slv_buf_free(&buf);
	tear_down(&f);
}

/* The input changed since the seal: found out before anything is committed. */
static void
a_broken_promise_is_seen(void)
{
	struct slv_buf buf = { 0 };
	struct slv_sink *sink = NULL;
	struct slv_err err = { 0 };
	struct fixture f;

	set_up(&f, 700);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	f.input.at[10] ^= 1;
	CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
	CHECK_STATUS(
	    slv_plan_run(&f.plan, sink, NULL, NULL, &err), SLV_E_BUG, &err);
	sink->ops->discard(sink);
	slv_buf_free(&buf);
	tear_down(&f);
}

static void
stopped_by_the_caller(void)
{
	volatile sig_atomic_t cancel = 1;
	struct slv_buf buf = { 0 };
	struct slv_sink *sink = NULL;
	struct slv_source *other = NULL;
	struct slv_err err = { 0 };
	struct fixture f;
	bool same = true;

	set_up(&f, 700);
	f.hasher.cancel = &cancel;
	CHECK_STATUS(
	    slv_plan_seal(&f.plan, &f.hasher, &err), SLV_E_CANCELLED, &err);
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_sink_memory(&buf, &sink, &err), &err);
	CHECK_STATUS(
	    slv_plan_run(&f.plan, sink, NULL, NULL, &err), SLV_E_BUG, &err);
	err = (struct slv_err){ 0 };
	f.hasher.cancel = NULL;
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	CHECK_STATUS(slv_plan_run(&f.plan, sink, NULL, &cancel, &err),
	    SLV_E_CANCELLED, &err);
	sink->ops->discard(sink);
	CHECK_U64(buf.len, 0);
	slv_buf_free(&buf);
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_plan_source(&f.plan, &other, &err), &err);
	CHECK_STATUS(slv_plan_compare(&f.plan, other, &cancel, &same, &err),
	    SLV_E_CANCELLED, &err);
	CHECK(!same);
	slv_source_close(other);
	tear_down(&f);
}

static void
compare_with(struct fixture *f, const uint8_t *bytes, size_t n, bool want)
{
	struct slv_source *other = NULL;
	struct slv_err err = { 0 };
	bool same = !want;

	CHECK_OK(slv_source_memory(bytes, n, &other, &err), &err);
	CHECK_OK(slv_plan_compare(&f->plan, other, NULL, &same, &err), &err);
	CHECK(same == want);
	slv_source_close(other);
}

static void
compare(void)
{
	struct slv_err err = { 0 };
	struct fixture f;

	set_up(&f, 600000);
	CHECK_OK(slv_plan_seal(&f.plan, &f.hasher, &err), &err);
	compare_with(&f, f.want.at, f.want.n, true);
	compare_with(&f, f.want.at, f.want.n - 1, false);
	compare_with(&f, f.want.at, 0, false);
	for (size_t i = 0; i < f.want.n; i += 17001) {
		f.want.at[i] ^= 0x80;
		compare_with(&f, f.want.at, f.want.n, false);
		f.want.at[i] ^= 0x80;
	}
	f.want.at[f.want.n - 1] ^= 1;
	compare_with(&f, f.want.at, f.want.n, false);
	tear_down(&f);
}

CU_TestInfo plan_run_tests[] = {
	{ "read at random", read_at_random },
	{ "made is checked", made_is_checked },
	{ "seal from any mark", seal_from_any_mark },
	{ "known without a seal", known_without_a_seal },
	{ "blind hasher", blind_hasher },
	{ "stream to a sink", stream_to_a_sink },
	{ "goes on from a mark", goes_on_from_a_mark },
	{ "a beginning that is not there", a_beginning_that_is_not_there },
	{ "a broken promise is seen", a_broken_promise_is_seen },
	{ "stopped by the caller", stopped_by_the_caller },
	{ "compare", compare },
	CU_TEST_INFO_NULL,
};
