/* splice.c - bytes put in, taken out, doubled, and logs joined. */
#include "properties/properties.h"
#include "support/check.h"
#include "support/damage.h"

/* Tracked, may fall but not rise: of so many splices one may leave a record
 * that is not as it was, because bytes are missing from it, or are too many,
 * just so that it ends where a unit begins. */
#define WRONG_OF 200

/* The bytes [off, end) of the log are gone or apart; at [off, upto) of `in`
 * is what was not there.  At most `spare` records that were not touched may
 * be lost.  Returns how many are not as they were. */
static size_t
check_splice(const struct subject *s, const struct blob *in, size_t off,
    size_t end, size_t upto, size_t spare)
{
	size_t whole = records_outside(s, off, end);
	struct repaired r = { 0 };
	struct tally t;

	repair_memory(&r, in->at, in->n, REPAIR_RESEAL);
	t = check_repair(s, in, &r, off, upto);
	if (r.planned) {
		CHECK(t.exact + spare >= whole || t.swollen > 0);
		CHECK(tally_wrong(&t) <= 1);
	} else {
		CHECK(off < s->units.at[0].end);
	}
	repaired_free(&r);
	return tally_wrong(&t);
}

static void
put_in_and_taken_out(void)
{
	size_t step = is_long() ? 1 : 7, cases = 0, wrong = 0;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		const uint8_t *bytes = s->bytes.at;
		size_t n = s->bytes.n, len;
		struct blob in = { 0 };

		if (!s->small || s->nested)
			continue;
		for (size_t off = 0; off < n && !check_enough();
		     off += step, cases += 2) {
			len = 1 + off % 37;
			check_case("%s, %zu random bytes put in at %zu",
			    s->name, len, off);
			damage_insert(&in, bytes, n, off, len, off);
			wrong +=
			    check_splice(s, &in, off, off + 1, off + len, 1);
			check_case("%s, %zu bytes taken out at %zu", s->name,
			    len, off);
			damage_remove(&in, bytes, n, off, len);
			wrong += check_splice(s, &in, off, off + len, off, 1);
		}
		blob_free(&in);
	}
	CHECK(wrong * WRONG_OF <= cases);
	check_case("%s", "");
}

/* Whole units gone: nothing else is. */
static void
units_taken_out(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct blob in = { 0 };

		for (size_t k = 1; s->small && k < s->units.n; k++) {
			const struct unit *u = &s->units.at[k];

			if (u->kind == UNIT_EXPLAINS)
				continue;
			check_case("%s, unit %zu at %zu taken out", s->name, k,
			    u->off);
			damage_remove(&in, s->bytes.at, s->bytes.n, u->off,
			    u->end - u->off);
			CHECK_U64(
			    check_splice(s, &in, u->off, u->end, u->off, 0), 0);
		}
		blob_free(&in);
	}
	check_case("%s", "");
}

/* A stretch is there twice, with both seams inside records and a whole
 * record between them: the log is put back as it was.  Where the head of the
 * record that the first copy ends in is all there, nothing is even doubted.
 * If that is as long as the stretch, it ends where its whole self begins, as if
 * the writer had said a thing twice. */
static void
check_doubled(const struct subject *s, const struct unit *u)
{
	bool headed = u[2].end - u[2].off > 50;
	size_t off = u->end - 1, end = u[2].off + (headed ? 45 : 1);
	struct repaired r = { 0 };
	struct blob in = { 0 };

	if (end - off == u[2].end - u[2].off)
		return;
	check_case("%s, [%zu, %zu) twice", s->name, off, end);
	damage_repeat(&in, s->bytes.at, s->bytes.n, off, end - off);
	repair_memory(&r, in.at, in.n, 0);
	CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
	if (headed) {
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_REPAIRED);
		CHECK_U64(r.sums[SLV_FILLER], end - off);
	}
	repaired_free(&r);
	blob_free(&in);
}

static void
doubled(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		for (size_t k = 0; s->small && k + 2 < s->units.n; k++) {
			const struct unit *u = &s->units.at[k];

			if (!s->nested && u->kind == UNIT_RECORD
			    && u[1].kind == UNIT_RECORD
			    && u[2].kind == UNIT_RECORD)
				check_doubled(s, u);
		}
	}
	check_case("%s", "");
}

/* The first is kept as it is, the second is somebody's data. */
static void
joined(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		const struct subject *other = &subjects[(i + 1) % n_subjects];
		struct repaired r = { 0 };
		struct blob in = { 0 };

		check_case("%s with %s behind it", s->name, other->name);
		damage_join(&in, s->bytes.at, s->bytes.n, other->bytes.at,
		    other->bytes.n);
		repair_memory(&r, in.at, in.n, 0);
		check_repair(s, &in, &r, s->bytes.n, SIZE_MAX);
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_LOSSY);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
		CHECK_U64(r.sums[SLV_FOREIGN], other->bytes.n);
		repaired_free(&r);
		blob_free(&in);
	}
	check_case("%s", "");
}

CU_TestInfo splice_tests[] = {
	{ "put in and taken out", put_in_and_taken_out },
	{ "units taken out", units_taken_out },
	{ "doubled", doubled },
	{ "joined", joined },
	CU_TEST_INFO_NULL,
};
