/* test_hasher.c - the running digest and the places it can go back to. */
#include "core/digest/hasher.h"

#include <string.h>

#include "base/bytes.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define SIZE 3000000 /* enough for two threads */

/* A source in memory, and the hasher that reads it. */
struct bench {
	struct blob b;
	struct slv_source *s;
	struct slv_hasher h;
	struct slv_err err;
};

static void
set_up(struct bench *t, const volatile sig_atomic_t *cancel)
{
	struct dice dice = { 5 };

	*t = (struct bench){ 0 };
	while (t->b.n < SIZE)
		blob_byte(&t->b, (uint8_t)dice_roll(&dice));
	CHECK_OK(slv_source_memory(t->b.at, t->b.n, &t->s, &t->err), &t->err);
	CHECK_OK(
	    slv_hasher_init(&t->h, t->s, SLV_SHA1, cancel, &t->err), &t->err);
}

static void
take_down(struct bench *t)
{
	slv_hasher_free(&t->h);
	slv_source_close(t->s);
	blob_free(&t->b);
}

/* Whether a kept state is that of the bytes before it. */
static void
check_state(
    const struct slv_hash_mark *mark, const struct blob *b, uint64_t off)
{
	uint8_t got[SLV_DIGEST_MAX], want[SLV_DIGEST_MAX];
	struct slv_digest d;

	CHECK_U64(mark->off, off);
	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, b->at, mark->off);
	slv_digest_get(&d, want);
	slv_digest_get(&mark->digest, got);
	CHECK_BYTES(got, 20, want, 20);
}

/*   spread  hash on another thread, if there can be one */
static void
go_on_and_come_back(bool spread)
{
	struct bench t;

	set_up(&t, NULL);
	if (spread)
		slv_hasher_spread(&t.h);
	CHECK_OK(slv_hasher_to(&t.h, 100, &t.err), &t.err);
	slv_hasher_settle(&t.h);
	check_state(&t.h.now, &t.b, 100);
	CHECK_OK(slv_hasher_to(&t.h, 50, &t.err), &t.err);
	CHECK_OK(slv_hasher_step(&t.h, 99 + SLV_HASHER_STEP, &t.err), &t.err);
	check_state(&t.h.now, &t.b, 100);
	CHECK_OK(slv_hasher_mark(&t.h, 60, &t.err), &t.err);
	CHECK_OK(slv_hasher_mark(&t.h, 300000, &t.err), &t.err);
	CHECK_OK(slv_hasher_step(&t.h, SIZE - 1, &t.err), &t.err);
	CHECK(t.h.now.off < SIZE && t.h.now.off > SIZE - SLV_HASHER_STEP);
	CHECK_OK(slv_hasher_to(&t.h, SIZE, &t.err), &t.err);
	slv_hasher_rest(&t.h);
	CHECK(t.h.ring == NULL);
	check_state(&t.h.now, &t.b, SIZE);
	check_state(slv_hasher_before(&t.h, 0), &t.b, 0);
	check_state(slv_hasher_before(&t.h, 299999), &t.b, 0);
	check_state(slv_hasher_before(&t.h, 300000), &t.b, 300000);
	check_state(slv_hasher_before(&t.h, SIZE - 1), &t.b, 300000);
	check_state(slv_hasher_before(&t.h, SIZE), &t.b, SIZE);
	take_down(&t);
}

static void
goes_on_and_comes_back(void)
{
	go_on_and_come_back(false);
	go_on_and_come_back(true);
}

/* When no mark is free nothing is kept, but the hashing goes on all the
 * same: the digest at that place was asked for. */
static void
more_marks_than_there_is_room(void)
{
	struct bench t;

	set_up(&t, NULL);
	for (uint64_t off = 10; off < 300; off += 10) {
		CHECK_OK(slv_hasher_mark(&t.h, off, &t.err), &t.err);
		check_state(&t.h.now, &t.b, off);
		CHECK(t.h.n_marks <= SLV_HASHER_MARKS);
	}
	check_state(slv_hasher_before(&t.h, 35), &t.b, 30);
	take_down(&t);
}

/* Without a digest, what was read already is not read again; what was not is, in
 * large pieces. */
static void
blind_to_what_was_read(void)
{
	struct slv_window w;
	struct bench t;
	const uint8_t *p;

	set_up(&t, NULL);
	slv_window_init(&w, t.s, NULL);
	t.h.blind = true;
	t.h.window = &w;
	CHECK_OK(slv_window_view(&w, 0, 1000, &p, &t.err), &t.err);
	CHECK_OK(slv_hasher_step(&t.h, 700, &t.err), &t.err);
	CHECK_U64(t.h.now.off, 700);
	CHECK_OK(slv_window_view(&w, SIZE - 100, 100, &p, &t.err), &t.err);
	CHECK_OK(slv_hasher_step(&t.h, 900, &t.err), &t.err);
	CHECK_U64(t.h.now.off, 700);
	slv_window_free(&w);
	take_down(&t);
}

/* The pages that were noted are these; frees both. */
static void
check_pages(struct slv_pages *pages, struct slv_pages *want)
{
	CHECK_U64(pages->runs.n, want->runs.n);
	CHECK_BYTES((const uint8_t *)pages->runs.at,
	    pages->runs.n * sizeof(*pages->runs.at),
	    (const uint8_t *)want->runs.at,
	    want->runs.n * sizeof(*want->runs.at));
	slv_pages_free(pages);
	slv_pages_free(want);
}

/* What a look leaves is hashed by and by, and nothing is missed; a long look
 * leaves nothing. */
static void
along_with_other_work(void)
{
	struct dice dice = { 7 };
	struct slv_pages pages = { .zero = false }, want = { .zero = false };
	uint64_t off = 0, before = 0, along = 0;
	struct slv_window w;
	struct bench t;
	const uint8_t *p;

	set_up(&t, NULL);
	for (size_t i = 40; i < 300; i += 7)
		memset(t.b.at + i * SLV_PAGE + i, 0, 2 * (size_t)SLV_PAGE);
	slv_window_init(&w, t.s, NULL);
	w.behind = SLV_HASHER_BEHIND;
	t.h.window = &w;
	t.h.pages = &pages;
	while (off < SIZE) {
		uint64_t len = 1 + dice_below(&dice, 20000);

		len = slv_min64(len, SIZE - off);
		CHECK_OK(
		    slv_window_view(&w, off, (size_t)len, &p, &t.err), &t.err);
		for (uint64_t n = dice_below(&dice, 300); n > 0; n--) {
			before = t.h.now.off;
			slv_hasher_along(&t.h);
			along += t.h.now.off - before;
			CHECK(t.h.now.off <= off);
		}
		CHECK_OK(slv_hasher_pace(&t.h, off, off + len, &t.err), &t.err);
		CHECK(t.h.now.off + SLV_HASHER_BEHIND > off + len);
		off += len;
	}
	CHECK(along > SIZE / 4);
	CHECK_OK(slv_hasher_to(&t.h, SIZE, &t.err), &t.err);
	check_state(&t.h.now, &t.b, SIZE);
	CHECK_OK(slv_pages_add(&want, 0, t.b.at, SIZE, &t.err), &t.err);
	CHECK(want.runs.n > 30);
	check_pages(&pages, &want);
	slv_window_free(&w);
	take_down(&t);
}

/* What a checksum confirms is not read again where nothing is hashed; pages before
 * and after it are. */
static void
past_what_is_confirmed(void)
{
	const uint64_t off = 5 * SLV_PAGE + 7, end = 20 * SLV_PAGE + 9;
	struct slv_pages pages = { .zero = false }, want = { .zero = false };
	struct bench t;

	set_up(&t, NULL);
	memset(t.b.at, 0, SIZE);
	t.h.blind = true;
	t.h.pages = &pages;
	CHECK_OK(slv_hasher_pass_by(&t.h, off, end, &t.err), &t.err);
	CHECK_U64(t.h.now.off, end);
	CHECK_OK(slv_hasher_to(&t.h, SIZE, &t.err), &t.err);
	CHECK_OK(slv_pages_hole(&want, 0, 5 * SLV_PAGE, &t.err), &t.err);
	CHECK_OK(slv_pages_hole(
	             &want, 21 * SLV_PAGE, SIZE - SIZE % SLV_PAGE, &t.err),
	    &t.err);
	check_pages(&pages, &want);
	take_down(&t);
	/* A digest needs them. */
	set_up(&t, NULL);
	CHECK_OK(slv_hasher_pass_by(&t.h, 10, SIZE / 2, &t.err), &t.err);
	CHECK_OK(slv_hasher_to(&t.h, SIZE, &t.err), &t.err);
	check_state(&t.h.now, &t.b, SIZE);
	take_down(&t);
}

static void
stopped_by_the_caller(void)
{
	volatile sig_atomic_t cancel = 0;
	struct bench t;

	set_up(&t, &cancel);
	CHECK_OK(slv_hasher_to(&t.h, 10, &t.err), &t.err);
	cancel = 1;
	CHECK_STATUS(slv_hasher_to(&t.h, 20, &t.err), SLV_E_CANCELLED, &t.err);
	CHECK_U64(t.h.now.off, 10);
	take_down(&t);
}

CU_TestInfo hasher_tests[] = {
	{ "goes on and comes back", goes_on_and_comes_back },
	{ "more marks than there is room", more_marks_than_there_is_room },
	{ "blind to what was read", blind_to_what_was_read },
	{ "along with other work", along_with_other_work },
	{ "past what is confirmed", past_what_is_confirmed },
	{ "stopped by the caller", stopped_by_the_caller },
	CU_TEST_INFO_NULL,
};
