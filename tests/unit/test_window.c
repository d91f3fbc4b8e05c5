/* test_window.c - views of a source, against the bytes themselves. */
#include "base/bytes.h"
#include "io/read/window.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

/* A source before memory that counts and, on demand, refuses. */
struct counting {
	struct slv_source base;
	const struct blob *bytes;
	uint64_t read; /* bytes asked of it */
	unsigned n;    /* how often */
	bool refuse;
};

static enum slv_status
counting_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct counting *c = (struct counting *)s;
	uint8_t *to = buf;

	if (c->refuse)
		return slv_fail(err, SLV_E_IO, "refused");
	c->read += n;
	c->n++;
	for (size_t i = 0; i < n; i++)
		to[i] = c->bytes->at[off + i];
	return SLV_OK;
}

static const struct slv_source_ops counting_ops = { .read = counting_read };

static void
open_counting(struct counting *c, struct blob *b, size_t n)
{
	struct dice dice = { 1 };

	while (b->n < n)
		blob_byte(b, (uint8_t)dice_roll(&dice));
	*c = (struct counting){ .bytes = b };
	c->base.ops = &counting_ops;
	c->base.name = "counting";
	c->base.size = n;
}

static void
random_views(void)
{
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };
	struct dice dice = { 2 };
	uint64_t viewed = 0;

	open_counting(&c, &b, 700000);
	slv_window_init(&w, &c.base, NULL);
	for (int i = 0; i < 3000 && !check_enough(); i++) {
		uint64_t off = dice_below(&dice, b.n + 1);
		size_t most = i % 50 == 0 ? 400000 : 64;
		const uint8_t *view = NULL;
		struct slv_err err = { 0 };
		size_t len;

		/* Mostly near the last one, as a scan goes. */
		if (i % 10 != 0)
			off =
			    slv_min64(w.base + dice_below(&dice, 300000), b.n);
		len = (size_t)dice_below(&dice, slv_min64(most, b.n - off) + 1);
		if (CHECK_OK(slv_window_view(&w, off, len, &view, &err), &err))
			CHECK_BYTES(view, len, b.at + off, len);
		viewed += len;
	}
	CHECK_U64(w.viewed, viewed);
	slv_window_free(&w);
	blob_free(&b);
}

static void
onward_reads_once(void)
{
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };
	const uint8_t *view;

	open_counting(&c, &b, 1 << 20);
	slv_window_init(&w, &c.base, NULL);
	for (uint64_t off = 0; off + 100 <= b.n; off += 90)
		CHECK_OK(slv_window_view(&w, off, 100, &view, NULL), NULL);
	CHECK_U64(c.read, b.n);
	slv_window_free(&w);
	blob_free(&b);
}

/* Heads are looked at and payloads passed over: each byte is read once, many
 * at a time, wherever a piece ends; and little at first after a jump. */
static void
small_steps_are_no_jumps(void)
{
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };
	const uint8_t *view;

	open_counting(&c, &b, 4 << 20);
	slv_window_init(&w, &c.base, NULL);
	for (uint64_t off = 0; off + 20 <= b.n; off += 130)
		CHECK_OK(slv_window_view(&w, off, 20, &view, NULL), NULL);
	CHECK(c.read <= b.n);
	CHECK(c.n <= b.n / SLV_WINDOW_STRIDE + 8);
	c.read = 0;
	for (uint64_t off = 10000; off < 100000; off += 4000)
		CHECK_OK(slv_window_view(&w, off, 20, &view, NULL), NULL);
	CHECK(c.read <= 2 * 100000);
	slv_window_free(&w);
	blob_free(&b);
}

static void
jumps_read_little(void)
{
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };
	const uint8_t *view;

	open_counting(&c, &b, 4 << 20);
	slv_window_init(&w, &c.base, NULL);
	for (uint64_t off = 400000; off + 8 < b.n; off += 400000)
		CHECK_OK(slv_window_view(&w, off, 8, &view, NULL), NULL);
	CHECK(c.read <= 10 * 4096);
	slv_window_free(&w);
	blob_free(&b);
}

/* Who walks on in one place and looks at another one all the while reads about
 * as much as is viewed. */
static void
to_and_fro_reads_little(void)
{
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };
	const uint8_t *view;
	uint64_t viewed = 0;

	open_counting(&c, &b, 4 << 20);
	slv_window_init(&w, &c.base, NULL);
	for (uint64_t off = 0; off < 400000; off += 3000) {
		for (uint64_t at = off; at < off + 6000; at += 100)
			CHECK_OK(
			    slv_window_view(&w, at, 100, &view, NULL), NULL);
		CHECK_OK(slv_window_view(&w, off + (3 << 20), 100, &view, NULL),
		    NULL);
		viewed += 6100;
	}
	CHECK(c.read <= 5 * viewed);
	slv_window_free(&w);
	blob_free(&b);
}

static void
refused_reads(void)
{
	const uint8_t untouched = 0, *view = &untouched;
	struct slv_err err = { 0 };
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };

	open_counting(&c, &b, 2 * SLV_WINDOW_STRIDE);
	slv_window_init(&w, &c.base, NULL);
	CHECK_OK(slv_window_view(&w, 0, 10, &view, &err), &err);
	view = &untouched;
	c.refuse = true;
	CHECK_STATUS(
	    slv_window_view(&w, SLV_WINDOW_STRIDE - 4, 10, &view, &err),
	    SLV_E_IO, &err);
	CHECK(view == &untouched);
	c.refuse = false;
	CHECK_OK(
	    slv_window_view(&w, SLV_WINDOW_STRIDE - 4, 10, &view, &err), NULL);
	CHECK_BYTES(view, 10, b.at + SLV_WINDOW_STRIDE - 4, 10);
	slv_window_free(&w);
	blob_free(&b);
}

static void
past_the_end_is_a_bug(void)
{
	const uint8_t *view;
	struct slv_window w;
	struct counting c;
	struct blob b = { 0 };

	open_counting(&c, &b, 100);
	slv_window_init(&w, &c.base, NULL);
	CHECK_STATUS(slv_window_view(&w, 99, 2, &view, NULL), SLV_E_BUG, NULL);
	CHECK_STATUS(slv_window_view(&w, 101, 0, &view, NULL), SLV_E_BUG, NULL);
	CHECK_STATUS(
	    slv_window_view(&w, UINT64_MAX, 2, &view, NULL), SLV_E_BUG, NULL);
	CHECK_OK(slv_window_view(&w, 100, 0, &view, NULL), NULL);
	CHECK_STATUS(slv_window_view(&w, 0, SLV_WINDOW_MAX + 1, &view, NULL),
	    SLV_E_BUG, NULL);
	slv_window_free(&w);
	blob_free(&b);
}

/* What is there is still seen; nothing more is read. */
static void
stopped_by_the_caller(void)
{
	static const uint8_t bytes[3 * SLV_WINDOW_MAX];
	volatile sig_atomic_t cancel = 0;
	struct slv_source *source = NULL;
	struct slv_window w;
	struct slv_err err = { 0 };
	const uint8_t *view;

	CHECK_OK(slv_source_memory(bytes, sizeof(bytes), &source, &err), &err);
	slv_window_init(&w, source, &cancel);
	CHECK_OK(slv_window_view(&w, 0, 10, &view, &err), &err);
	cancel = 1;
	CHECK_OK(slv_window_view(&w, 0, 10, &view, &err), &err);
	CHECK_STATUS(slv_window_view(&w, sizeof(bytes) - 10, 10, &view, &err),
	    SLV_E_CANCELLED, &err);
	slv_window_free(&w);
	slv_source_close(source);
}

CU_TestInfo window_tests[] = {
	{ "random views", random_views },
	{ "walking on reads every byte once", onward_reads_once },
	{ "small steps are no jumps", small_steps_are_no_jumps },
	{ "jumping reads little", jumps_read_little },
	{ "to and fro", to_and_fro_reads_little },
	{ "refused reads", refused_reads },
	{ "past the end is a bug", past_the_end_is_a_bug },
	{ "stopped by the caller", stopped_by_the_caller },
	CU_TEST_INFO_NULL,
};
