/* test_hasher.c - the running digest and the places it can go back to. */
#include "core/hasher.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define SIZE 3000000 /* enough for two threads */

static void
fill(struct blob *b)
{
	struct dice dice = { 5 };

	while (b->n < SIZE)
		blob_byte(b, (uint8_t)dice_roll(&dice));
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
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct slv_hasher h;
	struct blob b = { 0 };

	fill(&b);
	CHECK_OK(slv_source_memory(b.at, b.n, &s, &err), &err);
	CHECK_OK(slv_hasher_init(&h, s, SLV_SHA1, NULL, &err), &err);
	if (spread)
		slv_hasher_spread(&h);
	CHECK_OK(slv_hasher_to(&h, 100, &err), &err);
	slv_hasher_settle(&h);
	check_state(&h.now, &b, 100);
	CHECK_OK(slv_hasher_to(&h, 50, &err), &err);
	CHECK_OK(slv_hasher_stride(&h, SLV_HASHER_STRIDE, &err), &err);
	check_state(&h.now, &b, 100);
	CHECK_OK(slv_hasher_mark(&h, 60, &err), &err);
	CHECK_OK(slv_hasher_mark(&h, 300000, &err), &err);
	CHECK_OK(slv_hasher_stride(&h, SIZE - 1, &err), &err);
	CHECK(h.now.off < SIZE && h.now.off > SIZE - SLV_HASHER_STRIDE);
	CHECK_OK(slv_hasher_to(&h, SIZE, &err), &err);
	slv_hasher_rest(&h);
	CHECK(h.ring == NULL);
	check_state(&h.now, &b, SIZE);
	check_state(slv_hasher_before(&h, 0), &b, 0);
	check_state(slv_hasher_before(&h, 299999), &b, 0);
	check_state(slv_hasher_before(&h, 300000), &b, 300000);
	check_state(slv_hasher_before(&h, SIZE - 1), &b, 300000);
	check_state(slv_hasher_before(&h, SIZE), &b, SIZE);
	slv_hasher_free(&h);
	slv_source_close(s);
	blob_free(&b);
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
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct slv_hasher h;
	struct blob b = { 0 };

	fill(&b);
	CHECK_OK(slv_source_memory(b.at, b.n, &s, &err), &err);
	CHECK_OK(slv_hasher_init(&h, s, SLV_SHA1, NULL, &err), &err);
	for (uint64_t off = 10; off < 300; off += 10) {
		CHECK_OK(slv_hasher_mark(&h, off, &err), &err);
		check_state(&h.now, &b, off);
		CHECK(h.n_marks <= SLV_HASHER_MARKS);
	}
	check_state(slv_hasher_before(&h, 35), &b, 30);
	slv_hasher_free(&h);
	slv_source_close(s);
	blob_free(&b);
}

static void
stopped_by_the_caller(void)
{
	volatile sig_atomic_t cancel = 0;
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct slv_hasher h;
	struct blob b = { 0 };

	fill(&b);
	CHECK_OK(slv_source_memory(b.at, b.n, &s, &err), &err);
	CHECK_OK(slv_hasher_init(&h, s, SLV_SHA1, &cancel, &err), &err);
	CHECK_OK(slv_hasher_to(&h, 10, &err), &err);
	cancel = 1;
	CHECK_STATUS(slv_hasher_to(&h, 20, &err), SLV_E_CANCELLED, &err);
	CHECK_U64(h.now.off, 10);
	slv_hasher_free(&h);
	slv_source_close(s);
	blob_free(&b);
}

CU_TestInfo hasher_tests[] = {
	{ "goes on and comes back", goes_on_and_comes_back },
	{ "more marks than there is room", more_marks_than_there_is_room },
	{ "stopped by the caller", stopped_by_the_caller },
	CU_TEST_INFO_NULL,
};
