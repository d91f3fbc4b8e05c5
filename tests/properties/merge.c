/* merge.c - several copies of one log, each with damage of its own. */
#include "properties/properties.h"

#include <string.h>

#include "support/check.h"
#include "support/damage.h"

#define COPIES_MAX 4
#define FEWER_OF   400 /* tracked, may rise but not fall: see below */
#define APART      40  /* bytes between the damage of two copies, at least */

/* Windows that do not touch each other, one for each copy. */
struct windows {
	size_t n, off[COPIES_MAX], len[COPIES_MAX];
};

static struct windows
choose_windows(const struct subject *s, size_t n, struct dice *dice)
{
	struct windows w = { .n = n };
	size_t part = s->bytes.n / n, shift = (size_t)dice_roll(dice) % n;

	for (size_t i = 0; i < n; i++) {
		size_t from = part * ((i + shift) % n), room = part - APART;

		w.len[i] = 1 + (size_t)dice_below(dice, room - 1);
		if (dice_below(dice, 2) == 0)
			w.len[i] = 1 + w.len[i] % 32;
		w.off[i] = from + (size_t)dice_below(dice, room - w.len[i] + 1);
	}
	return w;
}

static void
free_copies(struct blob *copies)
{
	for (size_t i = 0; i < COPIES_MAX; i++)
		blob_free(&copies[i]);
}

/* Whether the bytes stand in one of the copies. */
static bool
stands_in(const struct blob *copies, size_t n, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		if (memmem(copies[i].at, copies[i].n, bytes, len) != NULL)
			return true;
	}
	return false;
}

/* Nothing is invented: a record of the result is one of the log's, or one
 * that a copy has; else the doubt is said.  Returns how many are the log's. */
static size_t
check_merged(const struct subject *s, const struct blob *copies, size_t n,
    const struct repaired *r)
{
	struct units got = { 0 };
	size_t exact = 0;

	CHECK(r->verified);
	if (!CHECK(s->list(s, r->out.at, r->out.n, &got))) {
		units_free(&got);
		return 0;
	}
	for (size_t i = 0; i < got.n; i++) {
		const uint8_t *at = r->out.at + got.at[i].off;
		size_t len = got.at[i].end - got.at[i].off;

		if (got.at[i].kind != UNIT_RECORD)
			continue;
		if (memmem(s->bytes.at, s->bytes.n, at, len) != NULL)
			exact++;
		else if (!stands_in(copies, n, at, len))
			CHECK(strstr((const char *)r->words.at,
			          "core.copies-differ")
			    != NULL);
		else
			CHECK(r->assurance != SLV_BY_DIGEST);
	}
	units_free(&got);
	if (r->assurance == SLV_BY_DIGEST)
		CHECK_BYTES(r->out.at, r->out.n, s->bytes.at, s->bytes.n);
	return exact;
}

/* Whether a record, with what vouches for its end, is in all copies. */
static bool
has_common(const struct subject *s, const struct windows *w)
{
	for (size_t i = 0; i + 1 < s->units.n; i++) {
		const struct unit *u = &s->units.at[i];
		bool hit = u->kind != UNIT_RECORD;

		for (size_t k = 0; k < w->n; k++)
			hit |= w->off[k] < u[1].end
			    && u->off < w->off[k] + w->len[k];
		if (!hit)
			return true;
	}
	return false;
}

static void
merge_windows(const struct subject *s, size_t n, uint64_t seed)
{
	struct dice dice = { seed };
	struct windows w = choose_windows(s, n, &dice);
	struct blob copies[COPIES_MAX] = { 0 };
	struct repaired r = { 0 };

	for (size_t i = 0; i < n; i++) {
		enum damage_window kind =
		    (enum damage_window)dice_below(&dice, WINDOW_KINDS);

		damage_overwrite(&copies[i], s->bytes.at, s->bytes.n, w.off[i],
		    w.len[i], kind, seed + i);
	}
	merge_memory(&r, copies, n, REPAIR_RESEAL | REPAIR_EFFORT);
	if ((s->nested || !has_common(s, &w)) && r.status == SLV_E_UNRELATED) {
		CHECK(!r.planned);
	} else if (CHECK_OK(r.status, &r.err) && CHECK(r.planned)) {
		check_merged(s, copies, n, &r);
		if (s->digest) {
			CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
			CHECK(r.assurance == SLV_BY_DIGEST);
		}
	}
	repaired_free(&r);
	free_copies(copies);
}

/* Every byte survives in one copy: the log is back, and proven. */
static void
windows_apart(void)
{
	size_t tries = is_long() ? 4000 : 150;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small || s->units.n < 8 || s->bytes.n < 600)
			continue;
		for (uint64_t k = 0; k < tries && !check_enough(); k++) {
			size_t n = 2 + k % 2;

			check_case("%s, %zu copies, seed %llu", s->name, n,
			    (unsigned long long)k);
			merge_windows(s, n, k);
		}
	}
	check_case("%s", "");
}

/* One copy is cut short; the other has all of what that lacks, and a hole. */
static void
cut_and_hole(void)
{
	size_t step = is_long() ? 1 : 41;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		size_t size = s->bytes.n;

		if (!s->small || s->units.n < 8 || size < 600)
			continue;
		for (size_t cut = size / 2; cut < size && !check_enough();
		     cut += step) {
			struct blob copies[COPIES_MAX] = { 0 };
			struct repaired r = { 0 };
			size_t off = size / 3 - cut % 64, first = cut & 1;

			check_case("%s, cut at %zu and a hole at %zu, %s first",
			    s->name, cut, off, first ? "hole" : "cut");
			damage_cut(&copies[first], s->bytes.at, size, cut);
			damage_overwrite(&copies[!first], s->bytes.at, size,
			    off, 48, WINDOW_RANDOM, cut);
			merge_memory(&r, copies, 2, REPAIR_EFFORT);
			if (CHECK_OK(r.status, &r.err) && CHECK(r.planned)) {
				check_merged(s, copies, 2, &r);
				if (s->digest)
					CHECK_BYTES(r.out.at, r.out.n,
					    s->bytes.at, size);
			}
			repaired_free(&r);
			free_copies(copies);
		}
	}
	check_case("%s", "");
}

/* Inside unit k, and a few units later. */
static void
cut_out(const struct subject *s, struct blob *out, size_t k, uint64_t seed)
{
	const struct unit *u = &s->units.at[k];
	struct dice dice = { seed };
	size_t off = u->off + (size_t)dice_below(&dice, u->end - u->off);

	damage_remove(
	    out, s->bytes.at, s->bytes.n, off, 1 + dice_below(&dice, 90));
}

/* Bytes are missing from the middle of one copy, so that all after them
 * is elsewhere, and another has a hole in some other place. */
static void
taken_out_and_hole(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small || s->units.n < 16 || s->nested)
			continue;
		for (size_t k = 1; k + 4 < s->units.n && !check_enough(); k++) {
			size_t hole = s->units.n / 2 < k
			    ? 1 + k / 3
			    : k + (s->units.n - k) * 2 / 3;
			const struct unit *u = &s->units.at[hole];
			struct blob copies[COPIES_MAX] = { 0 };
			struct repaired r = { 0 };
			size_t first = k & 1;

			check_case("%s, taken out in unit %zu, a hole in %zu",
			    s->name, k, hole);
			cut_out(s, &copies[first], k, k);
			damage_overwrite(&copies[!first], s->bytes.at,
			    s->bytes.n, u->off, u->end - u->off, WINDOW_ZERO,
			    0);
			merge_memory(&r, copies, 2, REPAIR_EFFORT);
			if (CHECK_OK(r.status, &r.err) && CHECK(r.planned)) {
				check_merged(s, copies, 2, &r);
				if (s->digest && !s->alike)
					CHECK_BYTES(r.out.at, r.out.n,
					    s->bytes.at, s->bytes.n);
			}
			repaired_free(&r);
			free_copies(copies);
		}
	}
	check_case("%s", "");
}

/* How often the copies are said to differ. */
static size_t
disputes(const struct repaired *r)
{
	const char *at = (const char *)r->words.at;
	size_t n = 0;

	while ((at = strstr(at, "core.copies-differ:")) != NULL) {
		at++;
		n++;
	}
	return n;
}

/* Two copies that are hit wherever chance has it.  What is made of each alone
 * follows them.  Returns whether the two together came to less than one
 * of them alone. */
static bool
merge_anywhere(const struct subject *s, uint64_t seed)
{
	struct blob copies[COPIES_MAX] = { 0 };
	struct repaired r = { 0 }, one = { 0 };
	struct dice dice = { seed };
	size_t size = s->bytes.n, least = 0, n = 0;

	for (size_t c = 0; c < 2; c++) {
		damage_overwrite(&copies[c], s->bytes.at, size,
		    (size_t)dice_below(&dice, size),
		    1 + (size_t)dice_below(&dice, 200),
		    (enum damage_window)dice_below(&dice, WINDOW_KINDS),
		    seed + c);
		repair_memory(&one, copies[c].at, copies[c].n, REPAIR_RESEAL);
		blob_set(&copies[2 + c], one.out.at, one.out.n);
		n = one.planned ? check_merged(s, copies, 4, &one) : 0;
		least = n > least ? n : least;
	}
	merge_memory(&r, copies, 2, REPAIR_RESEAL | REPAIR_EFFORT);
	if (r.status == SLV_E_UNRELATED)
		n = least;
	else if (CHECK_OK(r.status, &r.err))
		n = r.planned ? check_merged(s, copies, 4, &r) : 0;
	n += disputes(&r);
	repaired_free(&one);
	repaired_free(&r);
	free_copies(copies);
	return n < least;
}

/* Nothing is invented, and nearly never are there fewer records than in one
 * of the copies, except for those where they differ and nobody knows. */
static void
windows_anywhere(void)
{
	size_t tries = is_long() ? 4000 : 150, cases = 0, fewer = 0;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small || s->units.n < 8 || s->nested)
			continue;
		for (uint64_t k = 0; k < tries && !check_enough(); k++) {
			check_case(
			    "%s, seed %llu", s->name, (unsigned long long)k);
			fewer += merge_anywhere(s, k);
			cases++;
		}
	}
	check_case("%s", "");
	CHECK(fewer * FEWER_OF <= cases);
}

/* Every order of three. */
static const size_t orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
	{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
#define ORDERS (sizeof(orders) / sizeof(*orders))

/* A head, a tail, and a whole one with a hole that reaches into both and has
 * what neither of them has: head and tail have no block in common. */
static void
make_three(const struct subject *s, struct blob *copies, struct dice *dice)
{
	size_t size = s->bytes.n, cut = size / 4, from = size / 2;
	size_t off = (size_t)dice_below(dice, cut);

	cut += (size_t)dice_below(dice, size / 8);
	from += (size_t)dice_below(dice, size / 8);
	damage_cut(&copies[0], s->bytes.at, size, cut);
	blob_set(&copies[1], s->bytes.at + from, size - from);
	damage_overwrite(&copies[2], s->bytes.at, size, off,
	    1 + (size_t)dice_below(dice, cut - off), WINDOW_RANDOM, from);
}

/* The order in which copies are named decides no more than which one is believed
 * where two differ and nothing else tells. */
static void
any_order(void)
{
	size_t tries = is_long() ? 200 : 6;

	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];

		if (!s->small || s->units.n < 12 || s->bytes.n < 800)
			continue;
		for (uint64_t k = 0; k < tries && !check_enough(); k++) {
			struct blob copies[COPIES_MAX] = { 0 }, named[3];
			struct repaired r[ORDERS] = { { 0 } };
			struct dice dice = { k };

			make_three(s, copies, &dice);
			for (size_t o = 0; o < ORDERS; o++) {
				check_case("%s, seed %llu, order %zu", s->name,
				    (unsigned long long)k, o);
				for (size_t c = 0; c < 3; c++)
					named[c] = copies[orders[o][c]];
				merge_memory(&r[o], named, 3, REPAIR_EFFORT);
				CHECK(r[o].status == r[0].status);
				CHECK(r[o].assurance == r[0].assurance);
				if (s->digest || disputes(&r[o]) == 0)
					CHECK_BYTES(r[o].out.at, r[o].out.n,
					    r[0].out.at, r[0].out.n);
				CHECK(r[o].out.n == r[0].out.n);
			}
			for (size_t o = 0; o < ORDERS; o++)
				repaired_free(&r[o]);
			free_copies(copies);
		}
	}
	check_case("%s", "");
}

/* A copy twice, and a whole one with a damaged one. */
static void
alike(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		struct blob copies[COPIES_MAX] = { 0 };
		struct repaired r = { 0 };

		if (s->units.n < 4)
			continue;
		check_case("%s twice", s->name);
		blob_set(&copies[0], s->bytes.at, s->bytes.n);
		blob_set(&copies[1], s->bytes.at, s->bytes.n);
		merge_memory(&r, copies, 2, 0);
		CHECK_OK(r.status, &r.err);
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_INTACT);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
		check_case("%s and a cut one", s->name);
		damage_cut(&copies[1], s->bytes.at, s->bytes.n, s->bytes.n / 2);
		merge_memory(&r, copies, 2, 0);
		CHECK_OK(r.status, &r.err);
		CHECK_NAME(slv_state_name, r.state, SLV_STATE_INTACT);
		CHECK_BYTES(r.out.at, r.out.n, s->bytes.at, s->bytes.n);
		repaired_free(&r);
		free_copies(copies);
	}
	check_case("%s", "");
}

/* Logs of other recordings are refused, with the reason. */
static void
strangers(void)
{
	for (size_t i = 0; i < n_subjects; i++) {
		const struct subject *s = &subjects[i];
		const struct subject *other = &subjects[(i + 1) % n_subjects];
		struct blob copies[COPIES_MAX] = { 0 };
		struct repaired r = { 0 };

		check_case("%s and %s", s->name, other->name);
		blob_set(&copies[0], s->bytes.at, s->bytes.n);
		blob_set(&copies[1], other->bytes.at, other->bytes.n);
		merge_memory(&r, copies, 2, 0);
		CHECK_STATUS(r.status, SLV_E_UNRELATED, &r.err);
		CHECK(strstr(r.err.text, "not of one recording") != NULL);
		repaired_free(&r);
		free_copies(copies);
	}
	check_case("%s", "");
}

CU_TestInfo merge_tests[] = {
	{ "windows apart", windows_apart },
	{ "cut and hole", cut_and_hole },
	{ "taken out and hole", taken_out_and_hole },
	{ "windows anywhere", windows_anywhere },
	{ "any order", any_order },
	{ "alike", alike },
	{ "strangers", strangers },
	CU_TEST_INFO_NULL,
};
