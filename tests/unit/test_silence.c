/* test_silence.c - how long channels say nothing. */
#include "core/catalog/silence.h"
#include "support/check.h"
#include "unit/suites.h"

#define MS ((uint64_t)1000000) /* ns */

static const int64_t begin = 1700000000; /* s */

/* Two channels, of which 7 and 9 are one; all are watched. */
static void
open_all(struct slv_silences *s, uint64_t most)
{
	struct slv_err err = { 0 };

	CHECK_OK(slv_silences_init(s, 2, 3, &err), &err);
	s->members[0] = (struct slv_silence_member){ 3, 1 };
	s->members[1] = (struct slv_silence_member){ 7, 0 };
	s->members[2] = (struct slv_silence_member){ 9, 0 };
	s->at[0].most = s->at[1].most = most;
}

static void
say(struct slv_silences *s, uint32_t channel, uint64_t off, int64_t ms)
{
	int64_t sec = ms >= 0 ? ms / 1000 : -((-ms + 999) / 1000);
	const struct slv_block b = {
		.off = off,
		.len = 1,
		.verdict = "kept",
		.has_channel = true,
		.channel = channel,
		.has_time = true,
		.sec = begin + sec,
		.nanos = (uint32_t)((uint64_t)(ms - sec * 1000) * MS),
	};

	CHECK(slv_silences_block(s, &b));
}

static void
end(struct slv_silences *s)
{
	struct slv_err err = { 0 };

	CHECK_OK(slv_silences_end(s, &err), &err);
}

static void
between_and_at_the_ends(void)
{
	struct slv_silences s;

	open_all(&s, 100 * MS);
	say(&s, 7, 10, 0);
	say(&s, 9, 20, 50);
	say(&s, 3, 30, 150);
	say(&s, 7, 40, 260);
	say(&s, 3, 50, 260);
	say(&s, 8, 60, 2000); /* nobody watches it, and it is of the log */
	end(&s);
	CHECK_U64(s.at[0].n, 3);
	CHECK_U64(s.at[0].over, 2);
	CHECK_U64(s.at[0].longest.ns, 1740 * MS);
	CHECK_U64(s.at[0].longest.off, 40);
	CHECK_U64(s.at[1].n, 2);
	CHECK_U64(s.at[1].over, 3); /* before, between, after */
	slv_silences_free(&s);

	/* As long as allowed is allowed. */
	open_all(&s, 100 * MS);
	for (int64_t ms = 0; ms <= 1000; ms += 100)
		say(&s, 3, (uint64_t)ms, ms);
	end(&s);
	CHECK_U64(s.at[1].over, 0);
	CHECK_U64(s.at[1].longest.ns, 100 * MS);
	slv_silences_free(&s);
}

/* The same silences in whatever order neighbours stand. */
static void
out_of_order(void)
{
	struct slv_silences s;

	for (unsigned turn = 1; turn <= SLV_SILENCE_LATE / 2; turn++) {
		check_case("%u at a time", turn);
		open_all(&s, 15 * MS);
		for (unsigned i = 0; i < 400; i++) {
			unsigned first = i / turn * turn;
			unsigned at = first + turn - 1 - (i - first);

			/* One of 20 ms, and all others of 10. */
			say(&s, 7, i, (int64_t)at * 10 + (at >= 200 ? 10 : 0));
		}
		end(&s);
		/* Where the last turn is cut, what it lacks is missing. */
		if (400 % turn == 0) {
			CHECK_U64(s.at[0].over, 1);
			CHECK_U64(s.at[0].longest.ns, 20 * MS);
		}
		slv_silences_free(&s);
	}
	check_case("%s", "");
}

static void
the_clock_is_set(void)
{
	struct slv_silences s;

	/* Back: no silence of an hour, on either side. */
	open_all(&s, 100 * MS);
	for (int64_t ms = 0; ms < 1000; ms += 50)
		say(&s, 7, 1, ms);
	for (int64_t ms = 0; ms < 1000; ms += 50)
		say(&s, 7, 2, ms - 3600000);
	end(&s);
	CHECK_U64(s.at[0].over, 0);
	CHECK_U64(s.at[0].longest.ns, 50 * MS);
	slv_silences_free(&s);

	/* On: a silence like any other. */
	open_all(&s, 100 * MS);
	say(&s, 7, 1, 0);
	say(&s, 7, 2, 3600000);
	end(&s);
	CHECK_U64(s.at[0].over, 1);
	CHECK_U64(s.at[0].longest.ns, 3600000 * MS);
	slv_silences_free(&s);
}

static void
what_is_not_there(void)
{
	struct slv_silences s;
	struct slv_block b = {
		.len = 1,
		.verdict = "lost",
		.has_channel = true,
		.channel = 7,
		.has_time = true,
		.sec = begin,
	};

	open_all(&s, MS);
	CHECK(slv_silences_block(&s, &b));
	b.verdict = "kept";
	b.has_time = false;
	CHECK(slv_silences_block(&s, &b));
	/* Times that no clock has. */
	b.has_time = true;
	b.sec = INT64_MIN;
	CHECK(slv_silences_block(&s, &b));
	b.sec = INT64_MAX;
	CHECK(slv_silences_block(&s, &b));
	end(&s);
	CHECK_U64(s.at[0].n, 2);
	CHECK_U64(s.at[0].over, 1);
	CHECK_U64(s.at[1].n, 0);
	slv_silences_free(&s);
}

CU_TestInfo silence_tests[] = {
	{ "between and at the ends", between_and_at_the_ends },
	{ "out of order", out_of_order },
	{ "the clock is set", the_clock_is_set },
	{ "what is not there", what_is_not_there },
	CU_TEST_INFO_NULL,
};
