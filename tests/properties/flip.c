/* flip.c - every bit of a log turned over, one at a time. */
#include <stdio.h>

#include "properties/properties.h"
#include "support/check.h"
#include "support/damage.h"

/* Records that one bit may cost: its own, and without a checksum of its own
 * the one before it, because nothing vouches for that one then. */
#define FAIR 2

/* Tracked, may fall but not rise: of so many flips one may cost more, because
 * it turns what explains records into something else; and one may make a
 * record end where by chance another one does. */
#define DEAR_OF    500
#define SWOLLEN_OF 5000

/* Over all flips of one log. */
struct toll {
	size_t cases;
	size_t lost;  /* records, in all */
	size_t worst; /* records of one flip */
	size_t dear;  /* flips that cost more than FAIR */
	size_t altered, misread, swollen;
	size_t refused; /* structure sound, digest wrong: left alone */
	size_t nothing; /* no output, resealing or not */
};

static enum unit_kind
kind_at(const struct subject *s, size_t off)
{
	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		if (u->off <= off && off < u->end)
			return u->kind;
	}
	return UNIT_FIRST;
}

/* P8: one flipped bit costs little. */
static void
check_flip(const struct subject *s, size_t bit, struct toll *toll)
{
	size_t byte = bit / 8, all = records_before(s, SIZE_MAX - 1), got;
	struct repaired r = { 0 };
	struct blob in = { 0 };
	struct tally t;

	check_case("%s bit %zu of byte %zu flipped", s->name, bit % 8, byte);
	damage_flip(&in, s->bytes.at, s->bytes.n, bit);
	repair_memory(&r, in.at, in.n, 0);
	t = check_repair(s, &in, &r, byte, byte + 1);
	toll->cases++;
	CHECK(!s->digest || r.state != SLV_STATE_INTACT);
	if (r.state == SLV_STATE_DAMAGED) {
		toll->refused++;
		CHECK(s->digest && !r.planned);
		repair_memory(&r, in.at, in.n, REPAIR_RESEAL);
		t = check_repair(s, &in, &r, byte, byte + 1);
	}
	if (!r.planned) {
		/* The version, or the kind of digest: not for us to guess. */
		CHECK(byte < s->units.at[0].end);
		toll->nothing++;
	} else {
		got = t.exact + tally_wrong(&t);
		CHECK(got <= all);
		CHECK(got + FAIR >= all || t.swollen > 0
		    || kind_at(s, byte) == UNIT_EXPLAINS);
		toll->dear += got + FAIR < all;
		toll->lost += all - got;
		if (all - got > toll->worst)
			toll->worst = all - got;
		toll->altered += t.altered;
		toll->misread += t.misread;
		toll->swollen += t.swollen;
	}
	repaired_free(&r);
	blob_free(&in);
}

static void
every_bit(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct toll toll = { 0 };

		if (!s->small)
			continue;
		for (size_t bit = 0; bit < s->bytes.n * 8 && !check_enough();
		     bit++)
			check_flip(s, bit, &toll);
		CHECK(toll.dear * DEAR_OF <= toll.cases);
		CHECK(toll.swollen * SWOLLEN_OF <= toll.cases);
		printf("\n    %s: %zu flips lost %zu records, at worst %zu of "
		       "%zu (%zu more than %d); altered %zu, misread %zu, "
		       "swollen %zu; %zu refused, %zu without output ",
		    s->name, toll.cases, toll.lost, toll.worst,
		    records_before(s, SIZE_MAX - 1), toll.dear, FAIR,
		    toll.altered, toll.misread, toll.swollen, toll.refused,
		    toll.nothing);
	}
	check_case("%s", "");
}

static void
bits_of_big_logs(void)
{
	size_t times = is_long() ? 5000 : 60;
	struct dice dice = { 12 };

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct toll toll = { 0 };

		for (size_t k = 0; !s->small && k < times && !check_enough();
		     k++)
			check_flip(s, dice_below(&dice, s->bytes.n * 8), &toll);
	}
	check_case("%s", "");
}

CU_TestInfo flip_tests[] = {
	{ "every bit", every_bit },
	{ "bits of big logs", bits_of_big_logs },
	CU_TEST_INFO_NULL,
};
