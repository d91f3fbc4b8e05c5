/* test_gaps.c - what the walk notes about gaps, and what is made of it. */
#include <stdio.h>

#include "core/catalog/gaps.h"
#include "core/format/format.h"
#include "support/check.h"
#include "unit/suites.h"

#define BLOCK 10 /* bytes */

/* A log as a text: each letter is a block of 10 bytes, `ms` milliseconds
 * after the one before it.  a..z: a kept block of channel 0..25.  A..Z: a
 * lost one whose header tells the channel.  'x' is lost and nobody knows what
 * it was; '.' is filler, '=' derived and made anew, ' ' passes the time. */
struct log {
	struct slv_gaps gaps;
	struct slv_catalog catalog;
	struct slv_gap_list list;
	struct slv_err err;
};

static bool
is_between(char c, char low, char high)
{
	return c >= low && c <= high;
}

static void
walk(struct log *l, char c, int64_t ms)
{
	struct slv_moment at = { 1000 + ms / 1000,
		(uint32_t)(ms % 1000) * 1000000, true };
	uint64_t off = l->catalog.end;
	enum slv_fate fate = SLV_LOST;
	uint32_t channel = (uint32_t)(c - 'A');

	if (c == 'x' || is_between(c, 'A', 'Z')) {
		slv_gaps_lost(&l->gaps, off, BLOCK, &l->err);
		slv_gaps_blame(&l->gaps, c == 'x' ? NULL : &channel, &l->err);
	} else if (is_between(c, 'a', 'z')) {
		slv_gaps_block(
		    &l->gaps, (uint32_t)(c - 'a'), at, BLOCK, &l->err);
		fate = SLV_KEPT;
	} else {
		fate = c == '=' ? SLV_REBUILT : SLV_FILLER;
		if (c == '=')
			slv_gaps_close(&l->gaps);
	}
	slv_catalog_add(&l->catalog, BLOCK, fate, SLV_PART_DATA, &l->err);
}

static void
build(struct log *l, const char *text, int64_t ms, size_t max)
{
	*l = (struct log){ .gaps.max = max };
	check_case("%s", text);
	for (int64_t i = 0; text[i] != '\0'; i++) {
		if (text[i] != ' ')
			walk(l, text[i], i * ms);
	}
	CHECK_OK(
	    slv_gaps_list(&l->gaps, &l->catalog, &l->list, &l->err), &l->err);
	CHECK_U64(l->list.bytes, l->catalog.sums[SLV_LOST]);
}

static void
drop(struct log *l)
{
	slv_gap_list_free(&l->list);
	slv_gaps_free(&l->gaps);
	slv_catalog_free(&l->catalog);
}

/* Each gap as "offset+length(lost)"; each of its losses as the channel's
 * letter and how many: "a3" about three, "a=3" exactly, "a?1" nobody knows,
 * but one was seen. */
static void
tell(const struct log *l, char *text, size_t room)
{
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < l->list.n; i++) {
		const struct slv_gap *g = &l->list.at[i];

		at += (size_t)snprintf(text + at, room - at,
		    "%s%llu+%llu(%llu)", i > 0 ? "; " : "",
		    (unsigned long long)g->off, (unsigned long long)g->len,
		    (unsigned long long)g->bytes);
		for (size_t k = 0; k < g->n_losses; k++) {
			const struct slv_gap_loss *loss =
			    &l->list.losses[g->loss + k];

			at += (size_t)snprintf(text + at, room - at,
			    " %c%s%llu", (char)('a' + loss->channel),
			    loss->exact       ? "="
			        : loss->known ? ""
			                      : "?",
			    (unsigned long long)(loss->known ? loss->missing
			                                     : loss->at_least));
		}
	}
}

static void
as_told(void)
{
	static const struct {
		const char *log, *told;
	} cases[] = {
		{ "aaaaaaaa", "" },
		{ "aaaaxxxaaaa", "40+30(30) a3" },
		/* A gap goes on over filler, not over what is kept. */
		{ "aaaaxx..xaaa", "40+50(30) a3" },
		{ "aaaax..aaa", "40+10(10) a1" },
		{ "aaaaxx=xxaaaa", "40+20(20) a2; 70+20(20) a2" },
		{ "aaaaxaxaaaa", "40+10(10) a1; 60+10(10) a1" },
		/* Each channel by its own rate. */
		{ "abababxxxxababab", "60+40(40) a2 b2" },
		{ "aabaabaabaabxxxxxxaabaabaab", "120+60(60) a5 b2" },
		/* Silence outside of a gap was not lost in it; it makes the
		 * average longer: rather too few than too many. */
		{ "aaaaaaaaaaxxxaaaaaaaa    aaaaaaa", "100+30(30) a2" },
		/* Fewer than three blocks have no rate. */
		{ "acccccxxxccccca", "60+30(30) c3 a?0" },
		/* What never comes back has ended at some time. */
		{ "bbbaaaaaaxxxaaaaaaaaa", "90+30(30) a3 b?0" },
		/* A gap without an end is counted by what was seen. */
		{ "aaabbbxxx", "60+30(30)" },
		{ "aaabbbBx", "60+20(20) b?1" },
		{ "xxxaaa", "0+30(30)" },
		/* Every lost block's header was seen. */
		{ "aaabbbB", "60+10(10) b=1" },
		{ "aaabbbAB=", "60+20(20) a=1 b=1" },
		{ "aaaaAAxaaaa", "40+30(30) a3" },
		{ "ccccAcccc", "40+10(10) a=1" },
		/* More than the bytes have room for cannot be lost. */
		{ "aaaax     aaaa", "40+10(10) a1" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct log l;
		char text[256];

		build(&l, cases[i].log, 250, 100);
		tell(&l, text, sizeof(text));
		CHECK_STR(text, cases[i].told);
		CHECK_U64(l.list.total, l.list.n);
		drop(&l);
	}
}

/* Beyond the most, gaps are counted and their bytes too. */
static void
many_are_summed(void)
{
	struct log l;

	build(&l, "axaxaxaxa", 250, 2);
	CHECK_U64(l.list.n, 2);
	CHECK_U64(l.list.total, 4);
	CHECK_U64(l.list.bytes, 40);
	drop(&l);
	build(&l, "axaxaxaxa", 250, 0);
	CHECK_U64(l.list.n, 0);
	CHECK_U64(l.list.total, 4);
	CHECK_U64(l.gaps.cap_notes + l.gaps.cap_channels, 0);
	drop(&l);
}

/* What turns out not to be lost is no gap. */
static void
fates_are_final(void)
{
	struct log l;
	struct slv_gap_list again;

	build(&l, "aaaaxxaaaaxxxaaaa", 250, 100);
	CHECK_U64(l.list.n, 2);
	slv_catalog_set(&l.catalog, 40, 20, SLV_REBUILT, &l.err);
	CHECK_OK(slv_gaps_list(&l.gaps, &l.catalog, &again, &l.err), &l.err);
	CHECK_U64(again.n, 1);
	CHECK_U64(again.at[0].off, 100);
	CHECK_U64(again.losses[again.at[0].loss].missing, 3);
	slv_gap_list_free(&again);
	/* The middle of a gap: its blocks are told of once. */
	slv_catalog_set(&l.catalog, 110, 10, SLV_REBUILT, &l.err);
	CHECK_OK(slv_gaps_list(&l.gaps, &l.catalog, &again, &l.err), &l.err);
	CHECK_U64(again.n, 2);
	CHECK_U64(again.n_losses, 1);
	CHECK_U64(again.bytes, 20);
	slv_gap_list_free(&again);
	drop(&l);
}

static void
whole_seconds_outwards(void)
{
	static const struct {
		struct slv_moment before, after;
		struct slv_gap_span span;
		uint32_t late;
	} cases[] = {
		{ { 5, 100000000, true }, { 7, 900000000, true },
		    { true, true, 5, 8 }, 100 },
		{ { 5, 100000000, true }, { 7, 900000000, true },
		    { true, true, 4, 9 }, 101 },
		{ { 5, 0, true }, { 7, 0, true }, { true, true, 4, 8 }, 1 },
		{ { 5, 0, true }, { 7, 0, true }, { true, true, -55, 67 },
		    60000 },
		{ { INT64_MIN, 1, true }, { INT64_MAX, 1, true },
		    { true, true, INT64_MIN, INT64_MAX }, 60000 },
		{ { 5, 1, true }, { 7, 1, true }, { true, true, 5, 8 }, 0 },
		{ { 5, 0, true }, { 7, 0, true }, { true, true, 5, 7 }, 0 },
		{ { -2, 5, true }, { -1, 5, true }, { true, true, -2, 0 }, 0 },
		{ { 9, 5, true }, { 7, 5, true }, { true, true, 7, 10 }, 0 },
		{ { 5, 1, true }, { 0, 0, false }, { true, false, 5, 0 }, 0 },
		{ { 0, 0, false }, { 7, 1, true }, { false, true, 0, 8 }, 0 },
		{ { INT64_MIN, 1, true }, { INT64_MAX, 1, true },
		    { true, true, INT64_MIN, INT64_MAX }, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct slv_gap gap = { .before = cases[i].before,
			.after = cases[i].after,
			.late = cases[i].late };
		struct slv_gap_span got = slv_gap_span(&gap);

		check_case("%zu", i);
		CHECK(got.has_from == cases[i].span.has_from);
		CHECK(got.has_to == cases[i].span.has_to);
		CHECK_I64(got.from, cases[i].span.from);
		CHECK_I64(got.to, cases[i].span.to);
	}
}

/* Hostile logs have any number of channels, and times that make no sense. */
static void
bounded(void)
{
	struct slv_gaps g = { .max = 100 };
	struct slv_err err = { 0 };
	struct slv_catalog c = { 0 };
	struct slv_gap_list list;

	for (uint32_t i = 0; i < 2 * SLV_GAP_CHANNELS; i++) {
		struct slv_moment at = { i % 2 != 0 ? INT64_MAX : INT64_MIN,
			999999999, true };

		slv_gaps_block(&g, i * 2654435761u, at, 1, &err);
	}
	CHECK_U64(g.n_channels, SLV_GAP_CHANNELS);
	for (uint64_t i = 0; i < 100; i++) {
		struct slv_moment at = { (int64_t)i, 0, true };

		slv_gaps_lost(&g, i * 2, 1, &err);
		slv_gaps_blame(&g, NULL, &err);
		slv_catalog_add(&c, 1, SLV_LOST, SLV_PART_DATA, &err);
		slv_gaps_block(&g, 0, at, 1, &err);
		slv_catalog_add(&c, 1, SLV_KEPT, SLV_PART_DATA, &err);
	}
	CHECK_U64(g.n_rows, SLV_GAP_ROWS);
	CHECK_OK(slv_gaps_list(&g, &c, &list, &err), &err);
	CHECK_U64(list.n, 100);
	slv_gap_list_free(&list);
	slv_gaps_free(&g);
	slv_catalog_free(&c);
}

/* Every lost byte can be seen on the map, however few there are. */
static void
map_shows_all(void)
{
	for (uint64_t off = 0; off < 1000; off++) {
		struct slv_catalog c = { 0 };
		struct slv_err err = { 0 };
		uint8_t cells[64], all = 0;

		slv_catalog_add(&c, off, SLV_KEPT, SLV_PART_DATA, &err);
		slv_catalog_add(&c, 1, SLV_LOST, SLV_PART_DATA, &err);
		slv_catalog_add(&c, 999 - off, SLV_KEPT, SLV_PART_DATA, &err);
		slv_catalog_map(&c, cells, 64);
		for (size_t i = 0; i < 64; i++) {
			CHECK(cells[i] != 0);
			all |= cells[i];
		}
		CHECK_U64(all, 1u << SLV_KEPT | 1u << SLV_LOST);
		CHECK((cells[off * 64 / 1000] & 1u << SLV_LOST) != 0);
		slv_catalog_free(&c);
	}
}

/* A log is as much out of order as its worst block, and nothing is known
 * after its latest one, wherever that is; a clock that is set back is
 * something else. */
static void
out_of_order(void)
{
	static const struct {
		int64_t ms[5];
		uint32_t late;
		int64_t latest, open_from; /* ms; s */
	} cases[] = {
		{ { 0, 1000, 2000, 3000, 4000 }, 0, 4000, 4 },
		{ { 0, 1000, 750, 3000, 2500 }, 501, 3000, 2 },
		{ { 0, 50000, 10000, 50000, 60000 }, 40001, 60000, 19 },
		{ { 0, 100000, 1000, 2000, 1500 }, 501, 2000, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct slv_gaps g = { .max = 1 };
		struct slv_catalog none = { 0 };
		struct slv_gap_list list;
		struct slv_err err = { 0 };

		check_case("%zu", i);
		for (size_t k = 0; k < 5; k++) {
			int64_t ms = cases[i].ms[k];
			struct slv_moment at = { ms / 1000,
				(uint32_t)(ms % 1000) * 1000000, true };

			slv_gaps_block(&g, 0, at, 1, &err);
		}
		CHECK_U64(g.late, cases[i].late);
		CHECK_OK(slv_gaps_list(&g, &none, &list, &err), &err);
		CHECK_I64(list.latest.sec * 1000 + list.latest.nanos / 1000000,
		    cases[i].latest);
		CHECK_I64(slv_gap_list_open_from(&list), cases[i].open_from);
		slv_gap_list_free(&list);
		slv_gaps_free(&g);
	}
}

/* Two channels before a gap and after it, in this order; seconds. */
static void
leaps(void)
{
	static const struct {
		int64_t a, b, a_again, b_again, leap;
	} cases[] = {
		{ 1000, 1001, 1010, 1011, 0 },
		/* Back: late by a minute, or more than that. */
		{ 1000, 1001, 941, 942, 0 },
		{ 1000, 1001, 939, 940, -62 },
		{ 1000, 1001, 100, 101, -901 },
		/* One of them had not been seen for long. */
		{ 50, 1001, 100, 101, -901 },
		/* On: for an hour a recording may be silent. */
		{ 1000, 1001, 4601, 4602, 0 },
		{ 1000, 1001, 4602, 4603, 3601 },
		/* Each has a clock of its own. */
		{ 9000, 1000, 9001, 1001, 0 },
		{ 1000, 9000, 1001, 9001, 0 },
		{ INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX, 0 },
		{ INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct slv_gaps g = { .max = 1 };
		struct slv_catalog c = { 0 };
		struct slv_gap_list list;
		struct slv_err err = { 0 };
		int64_t at[4] = { cases[i].a, cases[i].b, cases[i].a_again,
			cases[i].b_again };

		check_case("%zu", i);
		for (uint32_t k = 0; k < 4; k++) {
			if (k == 2) {
				slv_gaps_lost(&g, c.end, BLOCK, &err);
				slv_gaps_blame(&g, NULL, &err);
				slv_catalog_add(
				    &c, BLOCK, SLV_LOST, SLV_PART_DATA, &err);
			}
			slv_gaps_block(&g, k % 2,
			    (struct slv_moment){ at[k], 0, true }, BLOCK, &err);
			slv_catalog_add(
			    &c, BLOCK, SLV_KEPT, SLV_PART_DATA, &err);
		}
		CHECK_OK(slv_gaps_list(&g, &c, &list, &err), &err);
		CHECK_U64(list.n, 1);
		CHECK_I64(list.at[0].leap, cases[i].leap);
		slv_gap_list_free(&list);
		slv_gaps_free(&g);
		slv_catalog_free(&c);
	}
}

/* What is told takes the place of estimates, and what was cut out is where
 * it was. */
static void
told_and_absent(void)
{
	const struct slv_gap_count counts[] = { { 70000, 2 }, { 1, 0 },
		{ 5, 9 } };
	const struct slv_gap cut = { .off = 3 * BLOCK };
	struct log l;
	uint64_t n;
	size_t i;

	build(&l, "abxxabxxab", 100, 10);
	CHECK_U64(l.list.n, 2);
	CHECK_OK(slv_gap_absent(&l.list, &cut, &i, &l.err), &l.err);
	CHECK_U64(l.list.n, 3);
	CHECK_U64(l.list.total, 3);
	CHECK_U64(i, 1);
	CHECK_U64(l.list.at[1].off, 3 * BLOCK);
	CHECK_U64(l.list.at[1].len, 0);
	CHECK_U64(l.list.at[2].off, 6 * BLOCK);
	for (i = 0; i < 3; i++) {
		CHECK(!slv_gap_list_total(&l.list, &n));
		CHECK_OK(slv_gap_told(&l.list, i, counts, 3, &l.err), &l.err);
		CHECK_U64(l.list.at[i].n_losses, 2);
		CHECK_U64(l.list.losses[l.list.at[i].loss].channel, 5);
		CHECK_U64(l.list.losses[l.list.at[i].loss].missing, 9);
		CHECK(l.list.losses[l.list.at[i].loss].exact);
		CHECK_U64(l.list.losses[l.list.at[i].loss + 1].channel, 70000);
	}
	CHECK(slv_gap_list_total(&l.list, &n));
	CHECK_U64(n, 33);
	drop(&l);
}

/* Many blocks of two channels, noted one by one and together. */
static void
together_as_one_by_one(void)
{
	struct slv_gaps one = { .max = 9 }, all = { .max = 9 };
	struct slv_moment first[2], last[2], at = { .known = true };
	struct slv_err err = { 0 };

	for (int64_t i = 0; i < 41; i++) {
		uint32_t channel = i % 4 == 3;

		at.sec = 1000 + i;
		last[channel] = at;
		if (i == channel * 3)
			first[channel] = at;
		CHECK_OK(slv_gaps_block(&one, channel, at, BLOCK, &err), &err);
	}
	for (uint32_t c = 0; c < 2; c++) {
		struct slv_gap_blocks b = { c, c == 0 ? 31 : 10, first[c],
			last[c], BLOCK };

		CHECK_OK(slv_gaps_blocks(&all, &b, &err), &err);
	}
	slv_gaps_times(&all, at, 0);
	for (size_t c = 0; c < 2; c++) {
		CHECK_U64(all.channels[c].n, one.channels[c].n);
		CHECK_U64(all.channels[c].n_steps, one.channels[c].n_steps);
		CHECK_U64((uint64_t)all.channels[c].steps,
		    (uint64_t)one.channels[c].steps);
		CHECK_U64(all.channels[c].least, one.channels[c].least);
		CHECK(slv_moment_compare(
		          all.channels[c].last, one.channels[c].last)
		    == 0);
	}
	CHECK(slv_moment_compare(all.latest, one.latest) == 0);
	slv_gaps_free(&one);
	slv_gaps_free(&all);
}

CU_TestInfo gaps_tests[] = {
	{ "told and absent", told_and_absent },
	{ "leaps", leaps },
	{ "out of order", out_of_order },
	{ "as told", as_told },
	{ "many are summed", many_are_summed },
	{ "fates are final", fates_are_final },
	{ "whole seconds, outwards", whole_seconds_outwards },
	{ "bounded", bounded },
	{ "the map shows all", map_shows_all },
	{ "together as one by one", together_as_one_by_one },
	CU_TEST_INFO_NULL,
};
