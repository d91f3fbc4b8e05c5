/* test_ahead.c - windows of files that are read ahead, against the bytes themselves. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/thread.h"
#include "io/read/window.h"
#include "io/sys.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define SIZE ((uint64_t)24 << 20)

/* Bytes that no read returns. */
static const struct slv_range bad = { 9000 * 512, 9003 * 512 };

static ssize_t (*real_pread)(int, void *, size_t, off_t);

static ssize_t
pread_around_bad(int fd, void *buf, size_t n, off_t off)
{
	if ((uint64_t)off < bad.end && (uint64_t)off + n > bad.off) {
		errno = EIO;
		return -1;
	}
	return real_pread(fd, buf, n, off);
}

/* A file, the bytes that are expected of it, and a window of it. */
struct walked {
	uint8_t *bytes;
	struct slv_source *source;
	struct slv_window window;
	bool ahead; /* something was read ahead */
};

static void
open_walked(struct walked *x)
{
	struct slv_err err = { 0 };
	struct stat st;

	*x = (struct walked){ .bytes = must_alloc(SIZE) };
	for (uint64_t i = 0; i < SIZE; i++)
		x->bytes[i] = (uint8_t)(i * 2654435761u >> 16);
	scratch_write("in", x->bytes, SIZE);
	CHECK_OK(
	    slv_source_file(scratch_path("in"), &x->source, &st, &err), &err);
	slv_window_init(&x->window, x->source, NULL);
}

static void
close_walked(struct walked *x)
{
	CHECK(x->ahead || slv_processors() == 1);
	slv_window_free(&x->window);
	slv_source_close(x->source);
	free(x->bytes);
	scratch_clean();
}

static bool
view(struct walked *x, uint64_t off, size_t n)
{
	struct slv_err err = { 0 };
	const uint8_t *p;
	bool good =
	    CHECK_OK(slv_window_view(&x->window, off, n, &p, &err), &err)
	    && CHECK_BYTES(p, n, x->bytes + off, n);

	x->ahead |= x->window.ahead != NULL;
	return good;
}

/* Walk to the end by units of up to n bytes. */
static void
walk(struct walked *x, size_t n, size_t skip, struct dice *dice)
{
	uint64_t off = dice_below(dice, 5000), len;

	for (bool good = true; good && off < SIZE; off += len) {
		len = slv_min64(1 + dice_below(dice, n), SIZE - off);
		good = view(x, off, (size_t)len);
		/* A second look at what was before it, or a jump. */
		if (good && dice_below(dice, 16) == 0)
			good = view(x, off - slv_min64(off, 2000), 100);
		if (good && dice_below(dice, SIZE / n) == 0)
			good = view(x, dice_below(dice, SIZE - 9), 9);
		len += dice_below(dice, skip + 1);
	}
}

static void
units_of_all_sizes(void)
{
	static const size_t most[] = { 3000, 70000, 300000, 900000,
		SLV_WINDOW_MAX };
	struct dice dice = { 11 };
	struct walked x;

	open_walked(&x);
	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++) {
		walk(&x, most[i], 0, &dice);
		walk(&x, most[i], 9000, &dice);
	}
	CHECK_U64(x.source->unreadable.n, 0);
	close_walked(&x);
}

/* Units that look at much of what was before them. */
static void
long_looks_back(void)
{
	struct dice dice = { 12 };
	struct walked x;

	open_walked(&x);
	x.window.behind = (size_t)1500 << 10;
	for (uint64_t off = 0; off < SIZE - 100000; off += 50000) {
		uint64_t back = dice_below(&dice, x.window.behind);

		if (!view(&x, off, 60000)
		    || !view(&x, off - slv_min64(off, back), 60000))
			break;
	}
	close_walked(&x);
}

static void
bad_sectors_cost_themselves(void)
{
	struct dice dice = { 13 };
	struct walked x;

	open_walked(&x);
	for (uint64_t i = bad.off; i < bad.end; i++)
		x.bytes[i] = 0;
	real_pread = slv_sys.pread;
	slv_sys.pread = pread_around_bad;
	walk(&x, 5000, 0, &dice);
	slv_sys.pread = real_pread;
	if (CHECK_U64(x.source->unreadable.n, 1)) {
		CHECK_U64(x.source->unreadable.at[0].off, bad.off);
		CHECK_U64(x.source->unreadable.at[0].end, bad.end);
	}
	/* Known to be bad, they are not asked for again, nor read ahead. */
	walk(&x, 5000, 0, &dice);
	close_walked(&x);
}

static void
a_file_that_shrinks(void)
{
	const uint64_t end = ((uint64_t)15 << 20) + 77;
	struct slv_err err = { 0 };
	const uint8_t *p;
	struct walked x;
	uint64_t off;

	open_walked(&x);
	CHECK(truncate(scratch_path("in"), (off_t)end) == 0);
	for (off = 0; off + 1000 < end - SLV_WINDOW_STRIDE; off += 1000) {
		if (!view(&x, off, 1000))
			break;
	}
	CHECK_STATUS(slv_window_view(&x.window, end - 10, 20, &p, &err),
	    SLV_E_ACTIVE, &err);
	close_walked(&x);
}

CU_TestInfo ahead_tests[] = {
	{ "units of all sizes", units_of_all_sizes },
	{ "long looks back", long_looks_back },
	{ "bad sectors cost themselves", bad_sectors_cost_themselves },
	{ "a file that shrinks", a_file_that_shrinks },
	CU_TEST_INFO_NULL,
};
