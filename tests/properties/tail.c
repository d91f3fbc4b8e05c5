/* tail.c - logs cut short and then made longer by what is no log. */
#include "properties/properties.h"
#include "support/check.h"
#include "support/damage.h"

#define SECTOR 512 /* bytes; what a disk writes at once */
#define HEAD   8   /* bytes of a unit that do not yet say what is in it */
#define SLACK  15  /* zeros that a record may end with by chance */

/* The record that the cut runs through, or NULL. */
static const struct unit *
torn_record(const struct subject *s, size_t cut)
{
	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		if (u->kind == UNIT_RECORD && u->off < cut && cut < u->end)
			return u;
	}
	return NULL;
}

/* Zeros to the end of the file are bytes never written.  A record completed
 * by them is kept only where a few are missing, or where it ends with the
 * file and no sector tells. */
static bool
may_look_whole(const struct unit *u, size_t cut, size_t size)
{
	size_t sector = (cut + SECTOR - 1) / SECTOR * SECTOR;

	if (u == NULL || u->end > size)
		return false;
	if (u->end == size)
		return u->end < sector + SECTOR;
	return u->end - cut <= SLACK && u->end <= sector;
}

static void
check_zeros(const struct subject *s, size_t cut, size_t len)
{
	const struct unit *torn = torn_record(s, cut);
	size_t before = records_before(s, cut);
	struct repaired r = { 0 };
	struct blob in = { 0 };
	struct tally t;

	check_case("%s cut at %zu, then %zu zeros", s->name, cut, len);
	damage_tail(&in, s->bytes.at, s->bytes.n, cut, len, true, 0);
	repair_memory(&r, in.at, in.n, 0);
	t = check_repair(s, &in, &r, cut, SIZE_MAX);
	CHECK(r.planned == (cut >= s->units.at[0].end));
	if (r.planned) {
		CHECK(t.exact >= before);
		CHECK(t.exact + tally_wrong(&t)
		    <= before + may_look_whole(torn, cut, in.n));
	}
	if (r.planned && cut > recorded_end(s) + HEAD)
		CHECK(r.state <= SLV_STATE_REPAIRED);
	repaired_free(&r);
	blob_free(&in);
}

static void
zero_tails(void)
{
	static const size_t lens[] = { 1, 3, 8, 12, 40, 300, 511, 512, 1024,
		5000 };
	size_t step = is_long() ? 1 : 3;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small)
			continue;
		for (size_t k = 0; k < sizeof(lens) / sizeof(*lens); k++) {
			for (size_t cut = k % step;
			     cut <= s->bytes.n && !check_enough(); cut += step)
				check_zeros(s, cut, lens[k]);
		}
	}
	check_case("%s", "");
}

/* Zeros that end exactly where the torn unit was to end. */
static void
zeros_to_the_end_of_a_unit(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small)
			continue;
		for (size_t k = 1; k < s->units.n && !check_enough(); k++) {
			const struct unit *u = &s->units.at[k];

			for (size_t cut = u->off + 1; cut < u->end; cut++)
				check_zeros(s, cut, u->end - cut);
		}
	}
	check_case("%s", "");
}

/* Of the records before the cut only the last may be doubted, because nothing
 * vouches for it; one torn record at most may look whole, by chance. */
static size_t
check_garbage(const struct subject *s, size_t cut, size_t len, uint64_t seed)
{
	struct repaired r = { 0 };
	struct blob in = { 0 };
	struct tally t;
	size_t before;

	check_case("%s cut at %zu, then %zu random bytes, seed %u", s->name,
	    cut, len, (unsigned)seed);
	damage_tail(&in, s->bytes.at, s->bytes.n, cut, len, false, seed);
	/* By chance the garbage begins as the log went on. */
	while (cut < s->bytes.n && cut < in.n && in.at[cut] == s->bytes.at[cut])
		cut++;
	before = records_before(s, cut);
	repair_memory(&r, in.at, in.n, 0);
	t = check_repair(s, &in, &r, cut, SIZE_MAX);
	if (r.planned) {
		CHECK(t.exact <= before && t.exact + 1 >= before);
		CHECK(tally_wrong(&t) <= 1);
	}
	CHECK(r.planned || cut < s->units.at[0].end);
	if (r.planned && cut == s->bytes.n) {
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_REPAIRED);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
	}
	repaired_free(&r);
	blob_free(&in);
	return tally_wrong(&t);
}

static void
garbage_tails(void)
{
	static const size_t lens[] = { 1, 7, 40, 200, 1500 };
	size_t step = is_long() ? 1 : 5, torn = 0, cases = 0;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small)
			continue;
		for (size_t k = 0; k < sizeof(lens) / sizeof(*lens); k++) {
			for (size_t cut = k % step;
			     cut <= s->bytes.n && !check_enough();
			     cut += step, cases++)
				torn += check_garbage(s, cut, lens[k], cut);
			torn += check_garbage(s, s->bytes.n, lens[k], k);
		}
	}
	/* Tracked: let it not grow. */
	CHECK(torn * 100 <= cases);
	check_case("%s", "");
}

/* A good log with zeros after it: preallocated space. */
static void
zeros_behind_the_end(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct repaired r = { 0 };
		struct blob in = { 0 };

		check_case("%s, then zeros", s->name);
		damage_tail(
		    &in, s->bytes.at, s->bytes.n, s->bytes.n, 70000, true, 0);
		repair_memory(&r, in.at, in.n, 0);
		check_repair(s, &in, &r, s->bytes.n, SIZE_MAX);
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_REPAIRED);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
		CHECK_U64(r.sums[SLV_FILLER], 70000);
		repaired_free(&r);
		blob_free(&in);
	}
	check_case("%s", "");
}

CU_TestInfo tail_tests[] = {
	{ "zero tails", zero_tails },
	{ "zeros to the end of a unit", zeros_to_the_end_of_a_unit },
	{ "garbage tails", garbage_tails },
	{ "zeros behind the end", zeros_behind_the_end },
	CU_TEST_INFO_NULL,
};
