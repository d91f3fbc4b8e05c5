/* test_base.c - status, bytes, buffers and memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/find.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/text/base64.h"
#include "base/text/hex.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

static bool
no_memory(size_t size)
{
	(void)size;
	return false;
}

static void
first_cause_wins(void)
{
	struct slv_err err = { 0 };

	CHECK_STATUS(
	    slv_fail(&err, SLV_E_LIMIT, "%s: %d", "a", 7), SLV_E_LIMIT, NULL);
	CHECK_STATUS(slv_fail(&err, SLV_E_BUG, "later"), SLV_E_BUG, NULL);
	CHECK_STATUS(err.code, SLV_E_LIMIT, NULL);
	CHECK_STR(err.text, "a: 7");
	CHECK_I64(err.os, 0);
	CHECK_STATUS(slv_fail(NULL, SLV_E_BUG, "nobody asks"), SLV_E_BUG, NULL);
}

static void
errno_is_kept(void)
{
	struct slv_err err = { 0 };

	errno = EACCES;
	CHECK_STATUS(
	    slv_fail_errno(&err, "%s: cannot open", "x"), SLV_E_IO, NULL);
	CHECK_I64(err.os, EACCES);
	CHECK_STR(err.text, "x: cannot open: Permission denied");
	err = (struct slv_err){ 0 };
	errno = ENOMEM;
	CHECK_STATUS(slv_fail_errno(&err, "x"), SLV_E_NOMEM, NULL);
}

static void
long_causes_are_cut(void)
{
	struct slv_err err = { 0 };
	char text[2 * SLV_ERR_TEXT];

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	errno = EIO;
	slv_fail_errno(&err, "%s", text);
	CHECK_U64(strlen(err.text), SLV_ERR_TEXT - 1);
}

static void
status_names(void)
{
	CHECK_STR(slv_status_name(SLV_OK), "SLV_OK");
	CHECK_STR(slv_status_name(SLV_E_BUG), "SLV_E_BUG");
	CHECK_STR(slv_status_name((enum slv_status)99), "?");
}

static void
little_endian(void)
{
	const uint8_t bytes[] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 0x88 };
	uint8_t out[9] = { 0 };

	CHECK_U64(slv_get_le32(bytes + 1), 0x04030201);
	CHECK_U64(slv_get_le32(bytes + 5), 0x88070605);
	CHECK_U64(slv_get_le64(bytes + 1), UINT64_C(0x8807060504030201));
	slv_put_le64(out + 1, UINT64_C(0x8807060504030201));
	CHECK_BYTES(out + 1, 8, bytes + 1, 8);
}

static void
ranges_do_not_overflow(void)
{
	CHECK(slv_range_in(0, 0, 0));
	CHECK(slv_range_in(3, 2, 5));
	CHECK(slv_range_in(5, 0, 5));
	CHECK(!slv_range_in(3, 3, 5));
	CHECK(!slv_range_in(6, 0, 5));
	CHECK(!slv_range_in(UINT64_MAX, 2, UINT64_MAX));
	CHECK(!slv_range_in(1, UINT64_MAX, UINT64_MAX));
	CHECK(slv_range_in(0, UINT64_MAX, UINT64_MAX));
	CHECK_U64(slv_min64(3, 2), 2);
	CHECK_U64(slv_max64(3, 2), 3);
}

static void
buf_grows(void)
{
	struct slv_buf b = { 0 };
	char *text;

	slv_buf_add(&b, "", 0);
	CHECK_U64(b.len, 0);
	slv_buf_text(&b, "one ");
	slv_buf_printf(&b, "%s %d", "two", 3);
	CHECK_BYTES(b.at, b.len, "one two 3", 9);
	text = slv_buf_take(&b);
	CHECK_STR(text, "one two 3");
	free(text);
	CHECK(b.at == NULL && b.len == 0 && b.cap == 0);
	slv_buf_free(&b);
}

static void
buf_prints_long_texts(void)
{
	struct slv_buf b = { 0 };
	char *text, *want = malloc(5001);

	memset(want, 'y', 5000);
	want[5000] = '\0';
	slv_buf_printf(&b, "%s", want);
	text = slv_buf_take(&b);
	CHECK_STR(text, want);
	free(text);
	free(want);
}

static void
buf_without_memory(void)
{
	struct slv_buf b = { 0 };

	slv_buf_text(&b, "kept");
	slv_mem_hook = no_memory;
	slv_buf_text(&b, "far too long for the room there is");
	slv_buf_printf(&b, "%d %s", 1, "far too long for the room there is");
	slv_mem_hook = NULL;
	CHECK(b.failed);
	CHECK_BYTES(b.at, b.len, "kept", 4);
	slv_buf_text(&b, "!");
	CHECK_BYTES(b.at, b.len, "kept", 4);
	CHECK(slv_buf_take(&b) == NULL);
	CHECK(b.at == NULL && !b.failed);
}

static void
memory_gate(void)
{
	struct slv_err err = { 0 };
	uint32_t *array = NULL;
	size_t cap = 0;
	char *copy;

	CHECK_OK(slv_grow(&array, &cap, 3, sizeof(*array), &err), &err);
	CHECK(cap >= 3);
	array[2] = 7;
	slv_mem_hook = no_memory;
	CHECK_OK(slv_grow(&array, &cap, cap, sizeof(*array), &err), &err);
	CHECK_STATUS(slv_grow(&array, &cap, cap + 1, sizeof(*array), &err),
	    SLV_E_NOMEM, &err);
	CHECK(slv_calloc(1, 1) == NULL);
	CHECK(slv_strdup("x") == NULL);
	slv_mem_hook = NULL;
	CHECK_U64(array[2], 7);
	CHECK(slv_calloc(SIZE_MAX / 2, 3) == NULL);
	CHECK_STATUS(
	    slv_grow(&array, &cap, SIZE_MAX / 2, 4, NULL), SLV_E_NOMEM, NULL);
	free(array);
	copy = slv_strdup("x");
	CHECK_STR(copy, "x");
	free(copy);
}

/* Memory that is asked for early keeps what it holds, whatever its place and
 * size. */
static void
backed_memory(void)
{
	enum { MOST = 5 * (int)SLV_MEM_PAGE };
	uint8_t *p = slv_alloc_pages(MOST);

	for (size_t i = 0; i < MOST; i++)
		p[i] = (uint8_t)(i * 7);
	for (size_t off = 0; off < MOST; off += 1023) {
		for (size_t n = 0; off + n <= MOST; n += 511)
			slv_mem_back(p + off, n);
	}
	for (size_t i = 0; i < MOST; i++)
		CHECK_U64(p[i], (uint8_t)(i * 7));
	free(p);
}

/* Every place in every list of up to nine elements. */
static void
search_finds(void)
{
	for (size_t n = 0; n < 10; n++) {
		for (size_t place = 0; place <= n; place++) {
			struct slv_search f = { .high = n };
			unsigned judged = 0;

			while (slv_search(&f) && judged < 100) {
				judged++;
				CHECK(f.mid < n);
				slv_search_on(&f, f.mid < place);
			}
			CHECK(judged <= 4);
			CHECK_U64(f.low, place);
			CHECK_U64(
			    slv_search_last(&f), place > 0 ? place - 1 : 0);
		}
	}
}

static void
base64_goes_both_ways(void)
{
	static const char *const none[] = { "A", "AA", "AAA",
		"====", "A===", "AA=A", "AA==AAAA", "A-A=", "AAAA=", "\n" };

	for (size_t n = 0; n < 70; n++) {
		struct slv_buf text = { 0 }, back = { 0 };
		uint8_t bytes[70];
		char *all;

		for (size_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)(i * 37 + n * 11);
		slv_base64(&text, bytes, n);
		slv_buf_add(&text, "", 1);
		all = slv_buf_take(&text);
		CHECK(slv_base64_read(&back, all));
		CHECK_BYTES(back.at, back.len, bytes, n);
		slv_buf_free(&back);
		free(all);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct slv_buf back = { 0 };

		check_case("%s", none[i]);
		CHECK(!slv_base64_read(&back, none[i]));
		slv_buf_free(&back);
	}
}

static void
hex_goes_both_ways(void)
{
	static const uint8_t bytes[] = { 0x00, 0x0f, 0xf0, 0x5a, 0xff };
	static const char *const none[] = { "", "0", "000", "0G", "0A", "0 00",
		"-1", "\3770" };
	char text[SLV_HEX(sizeof(bytes))];
	uint8_t back[sizeof(bytes)];

	slv_hex(text, bytes, sizeof(bytes));
	CHECK_STR(text, "000ff05aff");
	CHECK(slv_hex_read(text, back, sizeof(back)));
	CHECK(memcmp(back, bytes, sizeof(bytes)) == 0);
	CHECK(slv_hex_read("12 and more", back, 1) && back[0] == 0x12);
	slv_hex(text, bytes, 0);
	CHECK_STR(text, "");
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		check_case("row %zu", i);
		CHECK(!slv_hex_read(none[i], back, 2));
	}
	check_case("%s", "");
}

/* Vectors that its authors published. */
static void
fnv_is_published(void)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} known[] = {
		{ "", UINT64_C(0xcbf29ce484222325) },
		{ "a", UINT64_C(0xaf63dc4c8601ec8c) },
		{ "foobar", UINT64_C(0x85944171f73967e8) },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t n = strlen(known[i].text), half = n / 2;
		uint64_t front = slv_fnv(SLV_FNV, known[i].text, half);

		check_case("%s", known[i].text);
		CHECK(slv_fnv(SLV_FNV, known[i].text, n) == known[i].hash);
		CHECK(slv_fnv(front, known[i].text + half, n - half)
		    == known[i].hash);
	}
	check_case("%s", "");
}

/* Where memmem(3) finds them: bytes of few kinds, so that many places are nearly the
 * same, in memory that is exactly as long. */
static void
bytes_are_found(void)
{
	struct dice dice = { .state = 7 };
	uint8_t mark[6];

	for (int round = 0; round < 20000; round++) {
		size_t n = (size_t)dice_below(&dice, 200);
		size_t m = 1 + (size_t)dice_below(&dice, sizeof(mark));
		uint64_t kinds = 1 + dice_below(&dice, 3);
		uint8_t *p = must_alloc(n + (n == 0));
		bool zero = true;

		for (size_t i = 0; i < n; i++) {
			p[i] = (uint8_t)dice_below(&dice, kinds);
			zero &= p[i] == 0;
		}
		for (size_t i = 0; i < m; i++)
			mark[i] = (uint8_t)dice_below(&dice, kinds);
		CHECK(slv_find_bytes(p, n, mark, m)
		    == (const uint8_t *)memmem(p, n, mark, m));
		CHECK(slv_is_zero(p, n) == zero);
		free(p);
	}
}

CU_TestInfo base_tests[] = {
	{ "the first cause wins", first_cause_wins },
	{ "errno is kept", errno_is_kept },
	{ "long causes are cut", long_causes_are_cut },
	{ "names of statuses", status_names },
	{ "little-endian numbers", little_endian },
	{ "ranges do not overflow", ranges_do_not_overflow },
	{ "a buffer grows", buf_grows },
	{ "a buffer prints long texts", buf_prints_long_texts },
	{ "a buffer without memory", buf_without_memory },
	{ "the memory gate", memory_gate },
	{ "memory that is asked for early", backed_memory },
	{ "a search finds every place", search_finds },
	{ "bytes are found where they are", bytes_are_found },
	{ "base64 goes both ways", base64_goes_both_ways },
	{ "hex goes both ways", hex_goes_both_ways },
	{ "FNV-1a is that of RFC 9923", fnv_is_published },
	CU_TEST_INFO_NULL,
};
