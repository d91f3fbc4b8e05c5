/* test_bddf_wire.c - the hand-written coder of what every block has against
 * the generated one.
 *
 * On every small message of interesting bytes, and on many random ones, both
 * must come to the same verdict and the same values.  Of every DataDescriptor
 * all beginnings are tried too: they are cut, not whole.
 * formats/test_bddf_wire.c does the same with more patience.
 */
#include "formats/bddf/read/bddf_wire.h"
#include "support/agree.h"
#include "support/check.h"
#include "unit/suites.h"

#define TEXT_MAX 64 /* bytes of a tried message */

static void
name_case(const char *what, const uint8_t *p, size_t n)
{
	char text[3 * TEXT_MAX + 1] = "";
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n && i < TEXT_MAX; i++) {
		text[2 * i] = digits[p[i] >> 4];
		text[2 * i + 1] = digits[p[i] & 15];
		text[2 * i + 2] = '\0';
	}
	check_case("%s %s", what, text);
}

static void
check_agreed(const char *what, const uint8_t *p, size_t n, const char *differ)
{
	if (differ != NULL)
		name_case(what, p, n);
	CHECK_STR(differ != NULL ? differ : "", "");
}

/* Try one message as either; returns what it was as a DataDescriptor. */
static enum bddf_read
try_message(const uint8_t *p, size_t n, bool beginnings)
{
	enum bddf_read r, entry;

	check_agreed("data", p, n, agree_data(p, n, &r));
	check_agreed("entry", p, n, agree_entry(p, n, &entry));
	if (beginnings)
		check_agreed("data", p, n, agree_beginnings(p, n, r));
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
	static const uint8_t few[] = { 0x00, 0x01, 0x02, 0x08, 0x0a, 0x10, 0x12,
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
random_messages(void)
{
	unsigned whole = 0;
	struct blob b = { 0 };

	for (uint64_t seed = 0; seed < 20000 && !check_enough(); seed++) {
		struct dice dice = { seed };

		agree_random(&b, &dice, 1 + seed % 2);
		whole += try_message(b.at, b.n, true) == BDDF_WHOLE;
		for (uint64_t n = b.n > 0 ? 10 : 0; n > 0; n--) {
			b.at[dice_below(&dice, b.n)] =
			    (uint8_t)(1 << dice_below(&dice, 8));
			try_message(b.at, b.n, false);
		}
	}
	blob_free(&b);
	/* Otherwise this test is not one. */
	CHECK(whole > 1000);
	check_case("%s", "");
}

/* Every field of every length of a number in every place: where the quick way
 * reads eight bytes at once, each must be the right one. */
static void
numbers_of_all_lengths(void)
{
	static const uint8_t keys[] = { 0x08, 0x10, 0x18 };

	for (unsigned i = 0; i < 11 * 11 * 11; i++) {
		unsigned lens[] = { i % 11, i / 11 % 11, i / 121 };
		uint8_t text[64] = { 0x12 };
		size_t n = 2;

		for (unsigned k = 0; k < 3; k++) {
			text[n++] = keys[k];
			for (unsigned at = 0; at < lens[k]; at++, n++)
				text[n] = (uint8_t)(0x80 | (37 * n));
			text[n++] = (uint8_t)(lens[k] == 10 ? 1 : 1 + k);
			if (k == 1)
				text[1] = (uint8_t)(n - 2);
		}
		try_message(text, n, true);
		text[0] = 0x0a;
		try_message(text, n, true);
	}
	check_case("%s", "");
}

static void
time_in_range(void)
{
	/* Nanoseconds of 5, with a bit that 32 bits do not hold. */
	static const uint8_t wide[] = { 0x12, 0x06, 0x10, 0x85, 0x80, 0x80,
		0x80, 0x20 };
	struct bddf_data d = { 0 };

	CHECK(bddf_data_get(wide, sizeof(wide), sizeof(wide), &d, NULL, NULL)
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
try_put(
    uint64_t off, uint64_t sec, uint32_t nanos, const int64_t *extras, size_t n)
{
	struct bddf_entry e = { .off = off, .sec = (int64_t)sec };
	const char *differ;

	e.nanos = nanos;
	differ = agree_entry_put(&e, extras, n);
	if (differ != NULL)
		check_case("off %llx sec %llx nanos %x, %zu more",
		    (unsigned long long)off, (unsigned long long)sec, nanos, n);
	CHECK_STR(differ != NULL ? differ : "", "");
}

/* Where a number takes one byte more, on both sides, and the ends. */
static void
entries_written_at_the_edges(void)
{
	uint64_t edges[24];
	int64_t extras[24];
	static const uint32_t nanos[] = { 0, 1, 127, 128, 16383, 16384, 2097151,
		2097152, 268435455, 268435456, 999999999, BDDF_NO_TIME };
	size_t n = 0;

	edges[n++] = 0;
	edges[n++] = 1;
	for (unsigned bits = 7; bits < 64; bits += 7) {
		edges[n++] = ((uint64_t)1 << bits) - 1;
		edges[n++] = (uint64_t)1 << bits;
	}
	edges[n++] = INT64_MAX;
	edges[n++] = UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		extras[i] = (int64_t)edges[i];
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++) {
			for (size_t t = 0; t < 12; t++)
				try_put(edges[i], edges[k], nanos[t], NULL, 0);
		}
		/* Up to a list whose length, and that of the entry, take two
		 * bytes. */
		try_put(edges[i], 1, 2, extras, i);
		try_put(edges[i], 1, 2, extras + i, n - i);
		try_put(i, 0, BDDF_NO_TIME, extras + i, 1);
	}
	check_case("%s", "");
}

static void
entries_written_at_random(void)
{
	struct dice dice = { 5 };
	int64_t extras[40];

	for (int i = 0; i < 20000 && !check_enough(); i++) {
		size_t n = dice_below(&dice, 4) > 0 ? 0 : dice_below(&dice, 40);

		for (size_t k = 0; k < n; k++)
			extras[k] = (int64_t)(dice_roll(&dice)
			    >> dice_below(&dice, 64));
		try_put(dice_roll(&dice) >> dice_below(&dice, 64),
		    dice_roll(&dice) >> dice_below(&dice, 64),
		    (uint32_t)dice_below(&dice, 1000000000), extras, n);
	}
	check_case("%s", "");
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

CU_TestInfo bddf_wire_tests[] = {
	{ "every small message", every_small_message },
	{ "random messages", random_messages },
	{ "numbers of all lengths", numbers_of_all_lengths },
	{ "time in range", time_in_range },
	{ "entries written at the edges", entries_written_at_the_edges },
	{ "entries written at random", entries_written_at_random },
	{ "a pool of many", a_pool_of_many },
	CU_TEST_INFO_NULL,
};
