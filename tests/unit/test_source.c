/* test_source.c - bytes in: files, memory, bad sectors, holes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "io/read/part.h"
#include "io/sys.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define SIZE 4000

static void
fill(struct blob *b)
{
	struct dice dice = { 3 };

	for (size_t i = 0; i < SIZE; i++)
		blob_byte(b, (uint8_t)dice_roll(&dice) | 1);
}

static void
check_reads(struct slv_source *s, const struct blob *want)
{
	struct slv_err err = { 0 };
	struct dice dice = { 4 };
	uint8_t *buf = must_alloc(want->n);

	CHECK_U64(s->size, want->n);
	for (int i = 0; i < 200; i++) {
		size_t off = (size_t)dice_below(&dice, want->n + 1);
		size_t n = (size_t)dice_below(&dice, want->n - off + 1);

		CHECK_OK(slv_source_read(s, off, buf, n, &err), &err);
		CHECK_BYTES(buf, n, want->at + off, n);
	}
	CHECK_U64(s->unreadable.n, 0);
	CHECK_STATUS(
	    slv_source_read(s, want->n, buf, 1, &err), SLV_E_BUG, &err);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(
	    slv_source_read(s, UINT64_MAX, buf, 2, &err), SLV_E_BUG, &err);
	free(buf);
}

static void
from_memory(void)
{
	struct slv_source *s = NULL;
	struct slv_ranges holes = { 0 };
	struct slv_err err = { 0 };
	struct blob b = { 0 };

	fill(&b);
	if (CHECK_OK(slv_source_memory(b.at, b.n, &s, &err), &err)) {
		check_reads(s, &b);
		CHECK_OK(slv_source_unwritten(s, 0, b.n, &holes, &err), &err);
		CHECK_U64(holes.n, 0);
		slv_source_close(s);
	}
	slv_source_close(NULL);
	blob_free(&b);
}

static void
from_a_file(void)
{
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct blob b = { 0 };
	struct stat st;

	fill(&b);
	scratch_write("in", b.at, b.n);
	if (CHECK_OK(
	        slv_source_file(scratch_path("in"), &s, &st, &err), &err)) {
		CHECK_I64(st.st_size, SIZE);
		check_reads(s, &b);
		slv_source_close(s);
	}
	scratch_clean();
	blob_free(&b);
}

/* Every read is cut short or interrupted: the same bytes. */
static void
in_small_pieces(void)
{
	struct fake_plan plan = { .k = 1, .onward = true };
	struct blob b = { 0 };

	fill(&b);
	scratch_write("in", b.at, b.n);
	plan.calls = FAKE_BIT(FAKE_PREAD);
	for (int i = 0; i < 2; i++) {
		struct slv_source *s = NULL;
		struct slv_err err = { 0 };
		struct stat st;

		plan.how = i == 0 ? FAKE_SHORT : FAKE_ERRNO;
		plan.os = EINTR;
		fake_on(&plan);
		if (CHECK_OK(slv_source_file(scratch_path("in"), &s, &st, &err),
		        &err)) {
			check_reads(s, &b);
			slv_source_close(s);
		}
		fake_off(NULL);
	}
	scratch_clean();
	blob_free(&b);
}

/* A file of which two sectors cannot be read. */
struct bad {
	struct fake_plan plan;
	struct slv_source *s; /* NULL: it could not be opened */
	struct blob known;    /* its bytes, the two sectors as zeros */
};

static void
open_bad(struct bad *b)
{
	static const struct slv_range bad[] = { { 512, 1024 }, { 3584, 4096 } };
	struct slv_err err = { 0 };
	struct stat st;

	*b = (struct bad){ .plan = { .bad = bad, .n_bad = 2 } };
	fill(&b->known);
	scratch_write("in", b->known.at, b->known.n);
	memset(b->known.at + 512, 0, 512);
	memset(b->known.at + 3584, 0, SIZE - 3584);
	b->plan.bad_file = scratch_path("in");
	fake_on(&b->plan);
	CHECK_OK(slv_source_file(b->plan.bad_file, &b->s, &st, &err), &err);
}

static void
close_bad(struct bad *b)
{
	slv_source_close(b->s);
	fake_off(NULL);
	scratch_clean();
	blob_free(&b->known);
}

/* The two sectors, of a source that begins at `from`. */
static void
check_bad(const struct slv_ranges *r, uint64_t from)
{
	if (!CHECK_U64(r->n, 2))
		return;
	CHECK_U64(r->at[0].off, from < 512 ? 512 - from : 0);
	CHECK_U64(r->at[0].end, 1024 - from);
	CHECK_U64(r->at[1].off, 3584 - from);
	CHECK_U64(r->at[1].end, SIZE - from);
}

static void
bad_sectors_cost_themselves(void)
{
	struct slv_err err = { 0 };
	uint8_t buf[SIZE];
	struct bad b;

	open_bad(&b);
	if (b.s != NULL) {
		/* What is read starts inside the sector: only that is known
		 * bad. */
		CHECK_OK(slv_source_read(b.s, 600, buf, 10, &err), &err);
		CHECK_U64(b.s->unreadable.n, 1);
		CHECK(!slv_ranges_hit(&b.s->unreadable, 0, 600));
		memset(buf, 1, sizeof(buf));
		CHECK_OK(slv_source_read(b.s, 0, buf, SIZE, &err), &err);
		CHECK_BYTES(buf, SIZE, b.known.at, SIZE);
		check_bad(&b.s->unreadable, 0);
		/* Known to be bad, they are not asked for again. */
		b.plan.n_bad = 0;
		CHECK_OK(slv_source_read(b.s, 0, buf, SIZE, &err), &err);
		CHECK_BYTES(buf, SIZE, b.known.at, SIZE);
	}
	close_bad(&b);
}

/* A part of a file is a source; what cannot be read of one cannot be read of
 * the other, whoever finds out first. */
static void
a_part(void)
{
	struct slv_source *part = NULL;
	struct slv_err err = { 0 };
	uint8_t buf[SIZE];
	struct bad b;

	open_bad(&b);
	if (b.s != NULL) {
		CHECK_OK(slv_source_read(b.s, 700, buf, 100, &err), &err);
		CHECK_OK(
		    slv_source_part(b.s, 700, SIZE - 700, &part, &err), &err);
		CHECK_U64(part->size, SIZE - 700);
		CHECK(slv_ranges_hit(&part->unreadable, 0, 1));
		CHECK_OK(slv_source_read(part, 0, buf, SIZE - 700, &err), &err);
		CHECK_BYTES(buf, SIZE - 700, b.known.at + 700, SIZE - 700);
		check_bad(&part->unreadable, 700);
		CHECK_STATUS(slv_source_read(part, SIZE - 700, buf, 1, &err),
		    SLV_E_BUG, &err);
		slv_source_close(part);
	}
	close_bad(&b);
}

static void
other_errors_are_failures(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = ENXIO };
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct stat st;
	uint8_t byte;

	plan.calls = FAKE_BIT(FAKE_PREAD);
	scratch_write("in", "abc", 3);
	fake_on(&plan);
	if (CHECK_OK(
	        slv_source_file(scratch_path("in"), &s, &st, &err), &err)) {
		CHECK_STATUS(
		    slv_source_read(s, 1, &byte, 1, &err), SLV_E_IO, &err);
		CHECK_I64(err.os, ENXIO);
		CHECK(strstr(err.text, "in: read at 1") != NULL);
		CHECK_U64(s->unreadable.n, 0);
		slv_source_close(s);
	}
	fake_off(NULL);
	scratch_clean();
}

static void
a_file_that_shrinks(void)
{
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct stat st;
	uint8_t buf[8];

	scratch_write("in", "abcdefgh", 8);
	if (CHECK_OK(
	        slv_source_file(scratch_path("in"), &s, &st, &err), &err)) {
		CHECK(truncate(scratch_path("in"), 5) == 0);
		CHECK_STATUS(
		    slv_source_read(s, 0, buf, 8, &err), SLV_E_ACTIVE, &err);
		CHECK(strstr(err.text, "ends at 5") != NULL);
		slv_source_close(s);
	}
	scratch_clean();
}

static void
what_is_no_file(void)
{
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct stat st;

	CHECK_STATUS(slv_source_file(scratch_path("none"), &s, &st, &err),
	    SLV_E_IO, &err);
	CHECK_I64(err.os, ENOENT);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(slv_source_file(scratch_path("."), &s, &st, &err),
	    SLV_E_REFUSED, &err);
	err = (struct slv_err){ 0 };
	CHECK(mkfifo(scratch_path("fifo"), 0600) == 0);
	CHECK_STATUS(slv_source_file(scratch_path("fifo"), &s, &st, &err),
	    SLV_E_REFUSED, &err);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(
	    slv_source_file("/dev/zero", &s, &st, &err), SLV_E_REFUSED, &err);
	CHECK(s == NULL);
	scratch_clean();
}

/* Where the file system can make holes and tell, holes are found; where it
 * cannot, nothing is claimed. */
static void
holes_are_told(void)
{
	const off_t size = 4 << 20, data = 1 << 20;
	struct slv_source *s = NULL;
	struct slv_ranges holes = { 0 };
	struct slv_err err = { 0 };
	struct stat st;
	int fd = open(scratch_path("in"), O_RDWR | O_CREAT, 0600);

	CHECK(fd >= 0 && pwrite(fd, "x", 1, data) == 1);
	CHECK(ftruncate(fd, size) == 0 && close(fd) == 0);
	if (!CHECK_OK(slv_source_file(scratch_path("in"), &s, &st, &err), &err))
		return;
	CHECK_OK(slv_source_unwritten(s, 10, (uint64_t)size - 20, &holes, &err),
	    &err);
	CHECK(!slv_ranges_hit(&holes, (uint64_t)data, 1));
	CHECK(!slv_ranges_hit(&holes, 0, 10));
	CHECK(!slv_ranges_hit(&holes, (uint64_t)size - 10, 10));
	if (holes.n > 0) {
		CHECK_U64(holes.n, 2);
		CHECK_U64(holes.at[0].off, 10);
		CHECK_U64(holes.at[1].end, (uint64_t)size - 10);
	}
	slv_ranges_free(&holes);
	slv_source_close(s);
	scratch_clean();
}

/* The system is asked once where the holes are: a scan asks for each stretch that
 * it leaves out, and some file systems read all of their map each time. */
static void
holes_are_mapped_once(void)
{
	struct fake_plan plan = { .calls = FAKE_BIT(FAKE_LSEEK) };
	struct fake_result first, again;
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct stat st;
	int fd = open(scratch_path("in"), O_RDWR | O_CREAT, 0600);

	for (off_t i = 0; i < 32; i++)
		CHECK(pwrite(fd, "x", 1, i << 17) == 1);
	CHECK(close(fd) == 0);
	if (!CHECK_OK(slv_source_file(scratch_path("in"), &s, &st, &err), &err))
		return;
	for (int round = 0; round < 2; round++) {
		fake_on(&plan);
		for (uint64_t off = 0; off < s->size; off += 1000) {
			struct slv_ranges holes = { 0 };
			uint64_t n = slv_min64(1000, s->size - off);

			CHECK_OK(slv_source_unwritten(s, off, n, &holes, &err),
			    &err);
			CHECK(slv_ranges_sum(&holes) <= n);
			slv_ranges_free(&holes);
		}
		fake_off(round == 0 ? &first : &again);
	}
	CHECK(first.calls <= 2 * 32);
	CHECK_U64(again.calls, 0);
	slv_source_close(s);
	scratch_clean();
}

static enum slv_status
all_unwritten(struct slv_source *s, uint64_t off, uint64_t len,
    struct slv_ranges *out, struct slv_err *err)
{
	(void)s;
	return slv_ranges_add(out, off, len, err);
}

/* In a sparse copy what was not rescued is a hole, and not unwritten. */
static void
not_rescued(void)
{
	static const struct slv_source_ops ops = { .unwritten = all_unwritten };
	struct slv_source s = { .ops = &ops, .size = 400 };
	struct slv_ranges holes = { 0 };
	struct slv_err err = { 0 };

	slv_ranges_add(&s.unrescued, 100, 50, &err);
	slv_ranges_add(&s.unrescued, 200, 100, &err);
	CHECK_OK(slv_source_unwritten(&s, 0, 400, &holes, &err), &err);
	if (CHECK_U64(holes.n, 3)) {
		CHECK_U64(holes.at[0].end, 100);
		CHECK_U64(holes.at[1].off, 150);
		CHECK_U64(holes.at[1].end, 200);
		CHECK_U64(holes.at[2].off, 300);
	}
	slv_ranges_free(&holes);
	CHECK_OK(slv_source_unwritten(&s, 120, 100, &holes, &err), &err);
	if (CHECK_U64(holes.n, 1)) {
		CHECK_U64(holes.at[0].off, 150);
		CHECK_U64(holes.at[0].end, 200);
	}
	slv_ranges_free(&holes);
	CHECK_OK(slv_source_unwritten(&s, 210, 20, &holes, &err), &err);
	CHECK_U64(holes.n, 0);
	slv_ranges_free(&s.unrescued);
}

CU_TestInfo source_tests[] = {
	{ "not rescued", not_rescued },
	{ "from memory", from_memory },
	{ "from a file", from_a_file },
	{ "in small pieces", in_small_pieces },
	{ "bad sectors cost themselves", bad_sectors_cost_themselves },
	{ "a part", a_part },
	{ "other errors are failures", other_errors_are_failures },
	{ "a file that shrinks", a_file_that_shrinks },
	{ "what is no file", what_is_no_file },
	{ "holes are told", holes_are_told },
	{ "holes are mapped once", holes_are_mapped_once },
	CU_TEST_INFO_NULL,
};
