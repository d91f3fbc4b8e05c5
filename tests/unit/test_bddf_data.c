/* test_bddf_data.c - the hand-written decoder against the generated one.
 *
 * On every small message of interesting bytes, and on many random ones, both
 * must come to the same verdict and the same values.  Of every message all
 * beginnings are tried too: they are cut, not whole.
 */
#include <string.h>

#include "support/blob.h"
#include "support/check.h"
#include "support/judge.h"
#include "unit/suites.h"

#define TEXT_MAX 64 /* bytes of a tried message */

static const char *
read_name(enum bddf_read r)
{
	static const char *const names[] = { "WHOLE", "CUT", "BROKEN" };

	return names[r];
}

static void
name_case(const uint8_t *p, size_t n)
{
	char text[3 * TEXT_MAX + 1] = "";
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n && i < TEXT_MAX; i++) {
		text[2 * i] = digits[p[i] >> 4];
		text[2 * i + 1] = digits[p[i] & 15];
		text[2 * i + 2] = '\0';
	}
	check_case("%s", text);
}

/* Try one message; returns what it was. */
static enum bddf_read
try_message(const uint8_t *p, size_t n, bool beginnings)
{
	struct judged want;
	struct bddf_pool pool = { 0 };
	struct bddf_data got;
	enum bddf_read r = bddf_data_get(p, n, n, &got, &pool);

	judge_data(&want, p, n);
	if ((r == BDDF_WHOLE) != want.good || want.good)
		name_case(p, n);
	CHECK_NAME(read_name, r, want.good ? BDDF_WHOLE : BDDF_BROKEN);
	if (r == BDDF_WHOLE && want.good)
		CHECK_STR(judge_values(&want, &got, &pool), "");
	if (beginnings)
		CHECK(judge_beginnings(p, n, r));
	bddf_pool_free(&pool);
	return r;
}

/* All messages of n bytes of an alphabet. */
static void
try_all(const uint8_t *alphabet, size_t letters, size_t n)
{
	size_t turn[8] = { 0 }, i;
	uint8_t text[8] = { 0 };

	do {
		for (i = 0; i < n; i++)
			text[i] = alphabet[turn[i]];
		try_message(text, n, n <= 3);
		for (i = 0; i < n && ++turn[i] == letters; i++)
			turn[i] = 0;
	} while (i < n && !check_enough());
}

static void
every_small_message(void)
{
	/* Keys of known and unknown fields, right and wrong wire types,
	 * small lengths, and the edges of varints. */
	static const uint8_t some[] = { 0x00, 0x01, 0x02, 0x03, 0x08, 0x0a,
		0x0b, 0x0d, 0x10, 0x12, 0x15, 0x18, 0x1a, 0x1d, 0x20, 0x22,
		0x25, 0x7f, 0x80, 0xff };
	static const uint8_t few[] = { 0x00, 0x01, 0x02, 0x08, 0x10, 0x12, 0x18,
		0x1a, 0x80, 0xff };
	uint8_t all[256];

	for (int i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	for (size_t n = 0; n <= 2; n++)
		try_all(all, sizeof(all), n);
	try_all(some, sizeof(some), 3);
	try_all(some, sizeof(some), 4);
	try_all(few, sizeof(few), 5);
	check_case("%s", "");
}

static void
put_varint(struct blob *b, struct dice *dice)
{
	uint64_t v = dice_roll(dice) >> dice_below(dice, 64);

	for (; v >= 0x80; v >>= 7)
		blob_byte(b, (uint8_t)(v | 0x80));
	blob_byte(b, (uint8_t)v);
}

static void
put_counted(struct blob *b, unsigned tag, struct blob *inner)
{
	blob_byte(b, (uint8_t)(tag << 3 | 2));
	blob_byte(b, (uint8_t)inner->n);
	blob_add(b, inner->at, inner->n);
	blob_free(inner);
}

/* A field as a writer of any version might put it. */
static void
put_field(struct blob *b, struct dice *dice)
{
	struct blob inner = { 0 };
	uint64_t n = dice_below(dice, 4);

	switch (dice_below(dice, 6)) {
	case 0:
		blob_byte(b, 1 << 3);
		put_varint(b, dice);
		break;
	case 1:
		for (; n > 0; n--) {
			blob_byte(
			    &inner, (uint8_t)((dice_below(dice, 3) + 1) << 3));
			put_varint(&inner, dice);
		}
		put_counted(b, 2, &inner);
		break;
	case 2:
		for (; n > 0; n--)
			put_varint(&inner, dice);
		put_counted(b, 3, &inner);
		break;
	case 3:
		blob_byte(b, 3 << 3);
		put_varint(b, dice);
		break;
	case 4:
		blob_fill(&inner, 0xab, n);
		put_counted(b, 5, &inner);
		break;
	case 5:
		blob_byte(b, n & 1 ? 4 << 3 | 1 : 4 << 3 | 5);
		blob_fill(b, 7, n & 1 ? 8 : 4);
		break;
	}
}

static void
random_messages(void)
{
	unsigned whole = 0;

	for (uint64_t seed = 0; seed < 20000 && !check_enough(); seed++) {
		struct dice dice = { seed };
		struct blob b = { 0 };

		for (uint64_t n = dice_below(&dice, 6); n > 0; n--)
			put_field(&b, &dice);
		whole += try_message(b.at, b.n, true) == BDDF_WHOLE;
		for (uint64_t n = b.n > 0 ? 10 : 0; n > 0; n--) {
			b.at[dice_below(&dice, b.n)] =
			    (uint8_t)(1 << dice_below(&dice, 8));
			try_message(b.at, b.n, false);
		}
		blob_free(&b);
	}
	/* Otherwise this test is not one. */
	CHECK(whole > 1000);
	check_case("%s", "");
}

static void
time_in_range(void)
{
	/* Nanoseconds of 5, with a bit that 32 bits do not hold. */
	static const uint8_t wide[] = { 0x12, 0x06, 0x10, 0x85, 0x80, 0x80,
		0x80, 0x20 };
	struct bddf_data d = { 0 };

	CHECK(bddf_data_get(wide, sizeof(wide), sizeof(wide), &d, NULL)
	    == BDDF_WHOLE);
	CHECK(!bddf_data_time_ok(&d));
	d = (struct bddf_data){ 0 };
	CHECK(bddf_data_time_ok(&d));
	d.nanos = 999999999;
	CHECK(bddf_data_time_ok(&d));
	d.nanos = 1000000000;
	CHECK(!bddf_data_time_ok(&d));
	d.nanos = -1;
	CHECK(!bddf_data_time_ok(&d));
}

static void
a_pool_of_many(void)
{
	struct bddf_pool pool = { 0 };
	const int64_t n = 200000;

	for (int64_t i = 0; i < n; i++)
		bddf_pool_push(&pool, i * 3 - n);
	CHECK(!pool.failed);
	CHECK_U64(pool.n, (uint64_t)n);
	for (int64_t i = 0; i < n; i += 1111)
		CHECK_I64(bddf_pool_at(&pool, (uint64_t)i), i * 3 - n);
	bddf_pool_free(&pool);
	CHECK_U64(pool.n, 0);
}

CU_TestInfo bddf_data_tests[] = {
	{ "every small message", every_small_message },
	{ "random messages", random_messages },
	{ "time in range", time_in_range },
	{ "a pool of many", a_pool_of_many },
	CU_TEST_INFO_NULL,
};
