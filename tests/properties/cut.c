/* cut.c - logs that end early: the damage that salvor is for. */
#include <stdlib.h>

#include "properties/properties.h"
#include "support/check.h"
#include "support/damage.h"

#define HEAD 8 /* bytes of a unit that do not yet say what is in it */

/* P4: a good log is left alone. */
static void
good_logs_are_left_alone(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct repaired r = { 0 };

		check_case("%s", s->name);
		repair_memory(&r, s->bytes.at, s->bytes.n, 0);
		check_repair(s, &s->bytes, &r, 0, 0);
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_INTACT);
		CHECK_U64(
		    r.assurance, s->digest ? SLV_BY_DIGEST : SLV_BY_STRUCTURE);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
		repaired_free(&r);
	}
	check_case("%s", "");
}

/* What the recorder would have left, had it been stopped properly at the
 * cut. */
static void
stopped_at(const struct subject *s, size_t cut, struct blob *out)
{
	bool *keep = must_alloc(s->units.n);

	for (size_t i = 0; i < s->units.n; i++)
		keep[i] = s->units.at[i].end <= cut;
	s->without(s, keep, out);
	free(keep);
}

static bool
all_zeros(const uint8_t *p, size_t n)
{
	while (n > 0 && *p == 0) {
		p++;
		n--;
	}
	return n == 0;
}

/* Whether something recorded was lost, as far as the bytes before the cut
 * can tell: the head of a unit alone does not say what it was, and zeros
 * count as never written, so that a unit that ends in some is unsure. */
static void
check_loss(const struct subject *s, size_t cut, const struct repaired *r)
{
	enum slv_state want = SLV_STATE_REPAIRED;
	size_t behind = recorded_end(s);

	if (cut == s->bytes.n || (cut > behind && cut <= behind + HEAD))
		return;
	for (size_t i = 0; i < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];

		if (u->kind != UNIT_DERIVED && u->off < cut && cut < u->end
		    && !all_zeros(s->bytes.at + u->off, cut - u->off))
			want = SLV_STATE_LOSSY;
	}
	if (r->unsure && s->bytes.at[cut - 1] == 0)
		want = SLV_STATE_LOSSY;
	CHECK_NAME(slv_state_name, r->state, want);
}

/* The bytes of the original, where it is known that a repair gives them
 * back. */
static void
check_original(const struct subject *s, size_t cut, const struct blob *out)
{
	const struct unit *last = &s->units.at[s->units.n - 1];
	size_t n = s->bytes.n;

	if (cut < recorded_end(s))
		return;
	/* The last but one is the list of channels. */
	if (s->other_list && cut < last->off + HEAD) {
		CHECK(out->n >= last[-1].off);
		CHECK_BYTES(out->at, last[-1].off, s->bytes.at, last[-1].off);
	} else {
		CHECK_BYTES(out->at, out->n, s->bytes.at, n);
	}
}

/* Returns the records in the output. */
static size_t
check_cut(const struct subject *s, size_t cut)
{
	struct blob in = { 0 }, want = { 0 };
	struct repaired r = { 0 };
	struct tally t;

	check_case("%s cut at %zu of %zu", s->name, cut, s->bytes.n);
	damage_cut(&in, s->bytes.at, s->bytes.n, cut);
	repair_memory(&r, in.at, in.n, 0);
	t = check_repair(s, &in, &r, cut, SIZE_MAX);
	if (cut < s->units.at[0].end) {
		CHECK(!r.planned);
		goto out;
	}
	CHECK(r.planned);
	/* P7: exactly what lies wholly before the cut. */
	CHECK_U64(t.exact, records_before(s, cut));
	CHECK_U64(tally_wrong(&t), 0);
	if (s->without != NULL) {
		stopped_at(s, cut, &want);
		CHECK_BYTES(r.out.at, r.out.n, want.at, want.n);
	} else {
		check_original(s, cut, &r.out);
	}
	check_loss(s, cut, &r);
out:
	repaired_free(&r);
	blob_free(&in);
	blob_free(&want);
	return t.exact;
}

/* P6 as well: cutting later never recovers less. */
static void
every_cut(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		size_t last = 0;

		if (!s->small)
			continue;
		for (size_t cut = 0; cut <= s->bytes.n && !check_enough();
		     cut++) {
			size_t n = check_cut(s, cut);

			CHECK(n >= last);
			last = n;
		}
	}
	check_case("%s", "");
}

/* Of big logs: at and around every end of a unit, and at random. */
static void
cuts_of_big_logs(void)
{
	size_t times = is_long() ? 5000 : 60;
	struct dice dice = { 11 };

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		size_t step = is_long() ? 1 : s->units.n / 30 + 1;

		if (s->small)
			continue;
		for (size_t k = 0; k < s->units.n; k += step) {
			check_cut(s, s->units.at[k].end - 1);
			check_cut(s, s->units.at[k].end);
			if (s->units.at[k].end < s->bytes.n)
				check_cut(s, s->units.at[k].end + 1);
		}
		for (size_t k = 0; k < times && !check_enough(); k++)
			check_cut(s, dice_below(&dice, s->bytes.n));
	}
	check_case("%s", "");
}

/* P12: same input, same output, same report. */
static void
always_the_same(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		for (size_t k = 0; k < 40; k++) {
			struct repaired a = { 0 }, b = { 0 };
			struct blob in = { 0 };

			check_case("%s, window %zu", s->name, k);
			damage_overwrite(&in, s->bytes.at, s->bytes.n,
			    k * s->bytes.n / 40, 1 + k, WINDOW_RANDOM, k);
			repair_memory(&a, in.at, in.n, REPAIR_RESEAL);
			repair_memory(&b, in.at, in.n, REPAIR_RESEAL);
			CHECK_BYTES(a.out.at, a.out.n, b.out.at, b.out.n);
			CHECK_BYTES(a.catalog.at, a.catalog.n, b.catalog.at,
			    b.catalog.n);
			CHECK_STR((char *)a.words.at, (char *)b.words.at);
			CHECK_NAME(slv_state_name, a.state, b.state);
			repaired_free(&a);
			repaired_free(&b);
			blob_free(&in);
		}
	}
	check_case("%s", "");
}

CU_TestInfo cut_tests[] = {
	{ "good logs are left alone", good_logs_are_left_alone },
	{ "every cut", every_cut },
	{ "cuts of big logs", cuts_of_big_logs },
	{ "always the same", always_the_same },
	CU_TEST_INFO_NULL,
};
