/* test_crc32.c - known CRCs, of parts and of the whole; and that a flipped bit
 * is located, whichever it is. */
#include <stdlib.h>
#include <string.h>

#include "digest/crc32.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

#define FIELD_BITS 32
#define TWO_BITS   ((size_t)11 << 10) /* two flips in this are not one */

static const struct {
	const char *text;
	uint32_t crc;
} known[] = {
	{ "", 0 },
	{ "a", 0xe8b7be43 },
	{ "123456789", 0xcbf43926 },
	{ "The quick brown fox jumps over the lazy dog", 0x414fa339 },
};

static void
known_crcs(void)
{
	static const uint8_t zeros[32];
	uint8_t ones[32];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		check_case("%s", known[i].text);
		CHECK_U64(slv_crc32(0, known[i].text, strlen(known[i].text)),
		    known[i].crc);
	}
	memset(ones, 0xff, sizeof(ones));
	CHECK_U64(slv_crc32(0, zeros, sizeof(zeros)), 0x190a55ad);
	CHECK_U64(slv_crc32(0, ones, sizeof(ones)), 0xff6cab0b);
}

/* What the polynomial says, bit by bit. */
static uint32_t
by_bits(const uint8_t *bytes, size_t n)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void
fill(uint8_t *bytes, size_t n, struct dice *dice)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)dice_roll(dice);
}

/* Any length, any alignment, any way to divide it. */
static void
parts_make_the_whole(void)
{
	static uint8_t bytes[5000];
	struct dice dice = { 11 };

	CHECK_U64(slv_crc32(0xcbf43926, NULL, 0), 0xcbf43926);
	for (unsigned round = 0; round < 2000 && !check_enough(); round++) {
		size_t from = (size_t)dice_below(&dice, 64);
		size_t most = (size_t)1 << dice_below(&dice, 13);
		size_t n = (size_t)dice_below(&dice, most + 1);
		size_t cut = (size_t)dice_below(&dice, n + 1);
		const uint8_t *p = bytes + from, *rest = p + cut;
		uint32_t first, all;

		check_case("round %u, %zu + %zu bytes", round, cut, n - cut);
		fill(bytes + from, n, &dice);
		all = by_bits(p, n);
		first = slv_crc32(0, p, cut);
		CHECK_U64(slv_crc32(0, p, n), all);
		CHECK_U64(slv_crc32(first, rest, n - cut), all);
		CHECK_U64(slv_crc32_combine(
		              first, slv_crc32(0, rest, n - cut), n - cut),
		    all);
	}
}

/* More than there is memory for: 2^k zeros as twice 2^(k - 1). */
static void
combines_any_length(void)
{
	uint32_t zeros = slv_crc32(0, "", 1);
	const uint32_t abc = slv_crc32(0, "abc", 3);

	for (unsigned k = 0; k < 63; k++) {
		uint64_t n = UINT64_C(1) << k;
		uint32_t twice = slv_crc32_combine(zeros, zeros, n);

		check_case("2^%u bytes", k);
		/* It does not count in which order three are combined. */
		CHECK_U64(slv_crc32_combine(
		              slv_crc32_combine(abc, zeros, n), zeros, n),
		    slv_crc32_combine(abc, twice, 2 * n));
		zeros = twice;
	}
	CHECK_U64(slv_crc32_combine(abc, 0, 0), abc);
	CHECK_U64(slv_crc32_combine(0, abc, 3), abc);
}

/* Messages with their CRC after them, of which bits are flipped. */
struct message {
	uint8_t *at;
	size_t n;
	uint32_t crc;
};

static struct message
make(size_t n, struct dice *dice)
{
	struct message m = { .at = must_alloc(n > 0 ? n : 1), .n = n };

	fill(m.at, n, dice);
	m.crc = slv_crc32(0, m.at, n);
	return m;
}

/* A bit of the message or, from 8 * n on, of its CRC. */
static void
flip(struct message *m, uint64_t bit)
{
	if (bit < 8 * (uint64_t)m->n)
		m->at[bit / 8] ^= (uint8_t)(1u << bit % 8);
	else
		m->crc ^= 1u << (bit - 8 * m->n);
}

static enum slv_crc32_place
locate(const struct message *m, uint64_t *bit)
{
	return slv_crc32_locate(m->n, m->crc ^ slv_crc32(0, m->at, m->n), bit);
}

static void
check_located(struct message *m, uint64_t flipped)
{
	bool in_field = flipped >= 8 * (uint64_t)m->n;
	uint64_t bit = UINT64_MAX;

	check_case("bit %ju of %zu bytes", (uintmax_t)flipped, m->n);
	flip(m, flipped);
	CHECK_U64(
	    locate(m, &bit), in_field ? SLV_CRC32_FIELD : SLV_CRC32_MESSAGE);
	CHECK_U64(bit, in_field ? flipped - 8 * m->n : flipped);
	flip(m, flipped);
}

static void
locates_every_bit(void)
{
	static const size_t lengths[] = { 0, 1, 2, 3, 4, 5, 29, 64, 300 };
	struct dice dice = { 5 };
	uint64_t bit;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct message m = make(lengths[i], &dice);

		for (uint64_t b = 0; b < 8 * m.n + FIELD_BITS; b++)
			check_located(&m, b);
		CHECK_U64(locate(&m, &bit), SLV_CRC32_NOWHERE);
		free(m.at);
	}
}

static void
locates_a_bit_of_many(void)
{
	struct dice dice = { 6 };

	for (unsigned round = 0; round < 200 && !check_enough(); round++) {
		size_t most = (size_t)1 << dice_below(&dice, 23);
		struct message m =
		    make((size_t)dice_below(&dice, most + 1), &dice);

		check_located(&m, dice_below(&dice, 8 * m.n + FIELD_BITS));
		check_located(&m, 0);
		check_located(&m, 8 * m.n + FIELD_BITS - 1);
		free(m.at);
	}
}

/* As far as syndromes differ, and no further. */
static void
knows_its_limit(void)
{
	const uint64_t most = SLV_CRC32_LOCATE_MAX;
	uint64_t bit = 0;
	/* Of a message that begins with a flipped bit. */
	uint32_t first = slv_crc32_combine(
	    slv_crc32(0, "\1", 1) ^ slv_crc32(0, "\0", 1), 0, most - 1);

	CHECK_U64(slv_crc32_locate(most, first, &bit), SLV_CRC32_MESSAGE);
	CHECK_U64(bit, 0);
	CHECK_U64(slv_crc32_locate(most - 1, first, &bit), SLV_CRC32_NOWHERE);
	CHECK_U64(slv_crc32_locate(most + 1, first, &bit), SLV_CRC32_NOWHERE);
	CHECK_U64(slv_crc32_locate(UINT64_MAX, 1, &bit), SLV_CRC32_NOWHERE);
	CHECK_U64(slv_crc32_locate(most, 0, &bit), SLV_CRC32_NOWHERE);
}

static void
check_nowhere(struct message *m, uint64_t one, uint64_t other)
{
	uint64_t bit;

	check_case("bits %ju and %ju of %zu bytes", (uintmax_t)one,
	    (uintmax_t)other, m->n);
	flip(m, one);
	flip(m, other);
	CHECK_U64(locate(m, &bit), SLV_CRC32_NOWHERE);
	flip(m, one);
	flip(m, other);
}

/* Two flipped bits are never one: all pairs of short messages, some of what is
 * the longest. */
static void
takes_no_two_bits_for_one(void)
{
	static const size_t lengths[] = { 0, 1, 12 };
	struct dice dice = { 8 };
	struct message m;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		m = make(lengths[i], &dice);
		for (uint64_t b = 0; b < 8 * m.n + FIELD_BITS; b++) {
			for (uint64_t a = 0; a < b && !check_enough(); a++)
				check_nowhere(&m, a, b);
		}
		free(m.at);
	}
	m = make(TWO_BITS, &dice);
	for (unsigned round = 0; round < 2000 && !check_enough(); round++) {
		uint64_t b = dice_below(&dice, 8 * m.n + FIELD_BITS - 1) + 1;

		check_nowhere(&m, dice_below(&dice, b), b);
	}
	free(m.at);
}

/* Where there is an answer to any syndrome, that bit does make it. */
static void
answers_only_what_is_so(void)
{
	struct dice dice = { 9 };
	unsigned located = 0;

	for (unsigned round = 0; round < 3000 && !check_enough(); round++) {
		struct message m = make((size_t)1 << round % 14, &dice);
		uint32_t syndrome = (uint32_t)dice_roll(&dice);
		uint64_t bit = 0;

		check_case("syndrome %08x of %zu bytes", syndrome, m.n);
		switch (slv_crc32_locate(m.n, syndrome, &bit)) {
		case SLV_CRC32_NOWHERE: break;
		case SLV_CRC32_MESSAGE:
			located++;
			flip(&m, bit);
			CHECK_U64(m.crc ^ slv_crc32(0, m.at, m.n), syndrome);
			break;
		case SLV_CRC32_FIELD: CHECK_U64(1u << bit, syndrome); break;
		}
		free(m.at);
	}
	/* By chance that is 0.006 of them. */
	CHECK(located < 3);
}

CU_TestInfo crc32_tests[] = {
	{ "known CRCs", known_crcs },
	{ "parts make the whole", parts_make_the_whole },
	{ "combines any length", combines_any_length },
	{ "locates every bit", locates_every_bit },
	{ "locates a bit of many", locates_a_bit_of_many },
	{ "knows its limit", knows_its_limit },
	{ "takes no two bits for one", takes_no_two_bits_for_one },
	{ "answers only what is so", answers_only_what_is_so },
	CU_TEST_INFO_NULL,
};
