/* table.c - the rows that are tracked, and what was counted for each. */
#include "salvage/table.h"

#include <string.h>

#define WITH_FOOTER  (1 << FOOTER)
#define WITH_INDEX   (1 << INDEXES)
#define WITH_NEITHER (1 << NEITHER)
#define WITH_EACH    (WITH_FOOTER | WITH_INDEX | WITH_NEITHER)
#define OF_PLAIN     (OF_SMALL | OF_BIG)

const struct row rows[] = {
	/* Every kind of damage, everywhere. */
	{ "flip-head", HARM_FLIP, HEADS, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "flip-payload", HARM_FLIP, PAYLOADS, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "flip-first", HARM_FLIP, HEAD, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "flip-series", HARM_FLIP, SERIES, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "flip-derived", HARM_FLIP, DERIVED, OF_SMALL,
	    WITH_FOOTER | WITH_INDEX, AIM_NONE },
	{ "zeros", HARM_ZEROS, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "two-holes", HARM_HOLES, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "ones", HARM_ONES, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "random", HARM_RANDOM, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "stale", HARM_STALE, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "cut", HARM_CUT, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "insert", HARM_INSERT, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "insert-stale", HARM_INSERT_STALE, ANYWHERE, OF_SMALL, WITH_EACH,
	    AIM_NONE },
	{ "double", HARM_DOUBLE, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "swap", HARM_SWAP, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "join", HARM_JOIN, ANYWHERE, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "series-zeroed", HARM_DECLARE, SERIES, OF_SMALL, WITH_EACH,
	    AIM_NONE },
	{ "first-zeros", HARM_ZEROS, HEAD, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "first-random", HARM_RANDOM, HEAD, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "first-cut", HARM_CUT, HEAD, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "nested-flip", HARM_FLIP, HEADS, OF_NESTED, WITH_EACH, AIM_NONE },
	{ "nested-zeros", HARM_ZEROS, AMID, OF_NESTED, WITH_EACH, AIM_NONE },
	{ "nested-cut", HARM_CUT, AMID, OF_NESTED, WITH_EACH, AIM_NONE },
	{ "big-two-holes", HARM_HOLES, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-stale", HARM_STALE, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-random", HARM_RANDOM, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-insert", HARM_INSERT_STALE, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-double", HARM_DOUBLE, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-swap", HARM_SWAP, AMID, OF_BIG, WITH_EACH, AIM_NONE },
	{ "big-join", HARM_JOIN, ANYWHERE, OF_BIG, WITH_EACH, AIM_NONE },
	{ "edge", HARM_EDGE, HEADS, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "big-edge", HARM_EDGE, HEADS, OF_BIG, WITH_EACH, AIM_NONE },
	{ "swallow", HARM_SWALLOW, HEADS, OF_SMALL, WITH_FOOTER, AIM_NONE },
	{ "big-swallow", HARM_SWALLOW, HEADS, OF_BIG, WITH_FOOTER, AIM_NONE },
	{ "describe", HARM_DESCRIBE, HEADS, OF_SMALL, WITH_EACH, AIM_NONE },
	{ "big-describe", HARM_DESCRIBE, HEADS, OF_BIG, WITH_EACH, AIM_NONE },

	/* What salvage is to come to, on logs of recorders. */
	{ "1-hole", HARM_ZEROS, AMID, OF_BIG, WITH_NEITHER, AIM_MOST },
	{ "1-cut", HARM_CUT, AMID, OF_BIG, WITH_NEITHER, AIM_MOST },
	{ "1-insert", HARM_INSERT, AMID, OF_BIG, WITH_NEITHER, AIM_MOST },
	{ "2-hole", HARM_ZEROS, AMID, OF_BIG, WITH_FOOTER | WITH_INDEX,
	    AIM_ALL },
	{ "3-flip-head", HARM_FLIP, HEADS, OF_BIG, WITH_FOOTER, AIM_PROVEN },
	{ "4-flip-derived", HARM_FLIP, DERIVED, OF_BIG, WITH_FOOTER, AIM_BACK },
	{ "5-flip-first", HARM_FLIP, HEAD, OF_BIG, WITH_FOOTER, AIM_PROVEN },
	{ "5-flip-series", HARM_FLIP, SERIES, OF_BIG, WITH_FOOTER, AIM_PROVEN },
	{ "5-flip-first", HARM_FLIP, HEAD, OF_BIG, WITH_INDEX | WITH_NEITHER,
	    AIM_ALL },
	{ "6-series-zeroed", HARM_DECLARE, SERIES, OF_BIG, WITH_EACH, AIM_ALL },
	{ "7-flip-payload", HARM_FLIP, PAYLOADS, OF_BIG, WITH_FOOTER,
	    AIM_NOTICED },
};
const size_t n_rows = sizeof(rows) / sizeof(*rows);

bool
tries_flips(const struct row *row)
{
	return row->kind == HARM_FLIP;
}

/* The numbers of a floor line, in order. */
enum { CASES, MISSED, RESTORED, UNSEEN, FIRST_WRONG };
#define NUMBERS (FIRST_WRONG + WRONGS)

void
tally_add(struct tally *t, const struct row *row, const struct verdict *v,
    const struct example *e)
{
	unsigned wrong = v->wrong;
	bool back = v->exact && (v->proven || row->aim == AIM_BACK);

	if ((row->aim == AIM_BACK || row->aim == AIM_PROVEN) && !back)
		wrong |= WRONG_LEFT;
	if (row->aim == AIM_NOTICED && v->planned && !back
	    && v->state != SLV_STATE_LOSSY)
		wrong |= WRONG_SOUND;
	t->cases++;
	t->keepable += v->keepable;
	t->kept += v->kept;
	t->aside += v->aside;
	t->invented += v->invented;
	t->torn += v->torn;
	t->unseen += v->unseen;
	t->restored += v->exact && v->proven;
	if (row->aim == AIM_BACK)
		t->restored += v->exact && !v->proven;
	if (v->seconds > t->slowest)
		t->slowest = v->seconds;
	for (int i = 0; i < WRONGS; i++) {
		if (!(wrong >> i & 1))
			continue;
		t->wrong[i]++;
		if (t->examples[i].o == NULL || e->size < t->examples[i].size)
			t->examples[i] = *e;
	}
}

bool
is_aimed(const struct row *row, const struct tally *t)
{
	bool clean = t->cases > 0;

	for (int i = 0; i < WRONGS; i++) {
		if (1u << i == WRONG_MISSED)
			clean &= t->wrong[i] == 0 || row->aim != AIM_ALL;
		else
			clean &= t->wrong[i] == 0;
	}
	if (row->aim == AIM_MOST)
		clean &= t->kept * 1000 >= t->keepable * 995;
	return clean;
}

/* Two digits after the point, rounded down: 100.00 is all of them. */
static void
put_percent(FILE *f, size_t part, size_t of)
{
	size_t share = of > 0 ? part * 10000 / of : 10000;

	fprintf(f, " %3zu.%02zu", share / 100, share % 100);
}

void
table_head(FILE *f, enum aim aim)
{
	static const char *const aims[] = {
		[AIM_NONE] = "tracked",
		[AIM_MOST] = "99.5 % kept, nothing invented or torn",
		[AIM_ALL] = "all kept, nothing invented or torn",
		[AIM_BACK] = "the original again, byte for byte",
		[AIM_PROVEN] = "the original again, byte for byte, and proven",
		[AIM_NOTICED] = "noticed, and nothing handed out unasked",
	};

	fprintf(f, "\n%s:\n", aims[aim]);
	fprintf(f,
	    "%-15s %-7s %6s %8s %6s %6s %6s %5s %5s %6s %6s %5s %5s %5s "
	    "%5s %7s\n",
	    "damage", "behind", "cases", "keepable", "kept%", "missed", "aside",
	    "inven", "torn", "unseen", "back%", "sound", "silnt", "proof",
	    "broke", "ms max");
}

void
table_row(
    FILE *f, const struct row *row, enum footing footing, const struct tally *t)
{
	fprintf(f, "%-15s %-7s %6zu %8zu", row->name, footing_name(footing),
	    t->cases, t->keepable);
	put_percent(f, t->kept, t->keepable);
	fprintf(f, " %6zu %6zu %5zu %5zu %6zu", t->keepable - t->kept, t->aside,
	    t->invented, t->torn, t->unseen);
	put_percent(f, t->restored, t->cases);
	fprintf(f, " %5zu %5zu %5zu %5zu %7.1f", t->wrong[3], t->wrong[4],
	    t->wrong[5], t->wrong[6], t->slowest * 1000);
	if (row->aim != AIM_NONE)
		fprintf(f, "  %s", is_aimed(row, t) ? "done" : "NOT YET");
	fprintf(f, "\n");
}

static void
numbers_of(const struct tally *t, size_t numbers[NUMBERS])
{
	numbers[CASES] = t->cases;
	numbers[MISSED] = t->keepable - t->kept;
	numbers[RESTORED] = t->restored;
	numbers[UNSEEN] = t->unseen;
	for (int i = 0; i < WRONGS; i++)
		numbers[FIRST_WRONG + i] = t->wrong[i];
}

static const char *
number_name(int i)
{
	static const char *const names[FIRST_WRONG] = { "cases", "blocks",
		"back", "unseen" };

	return i < FIRST_WRONG ? names[i] : wrong_name(i - FIRST_WRONG);
}

void
floor_head(FILE *f)
{
	fprintf(f,
	    "# salvage.floor: what may not get worse; see README.md.\n"
	    "# Written by: bench/salvage --write-floor FILE\n#\n");
	fprintf(f, "%-15s %-7s", "#", "");
	for (int i = 0; i < NUMBERS; i++)
		fprintf(f, " %8s", number_name(i));
	fprintf(f, "\n");
}

void
floor_row(
    FILE *f, const struct row *row, enum footing footing, const struct tally *t)
{
	size_t numbers[NUMBERS];

	numbers_of(t, numbers);
	fprintf(f, "%-15s %-7s", row->name, footing_name(footing));
	for (int i = 0; i < NUMBERS; i++)
		fprintf(f, " %8zu", numbers[i]);
	fprintf(f, "\n");
}

/* The numbers of a row's line; false where there is none. */
static bool
find_floor(
    FILE *f, const struct row *row, enum footing footing, size_t *numbers)
{
	char line[512], name[64], behind[64];
	int at, used;

	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%63s %63s%n", name, behind, &at) != 2
		    || strcmp(name, row->name) != 0
		    || strcmp(behind, footing_name(footing)) != 0)
			continue;
		for (int i = 0; i < NUMBERS; i++, at += used) {
			if (sscanf(line + at, " %zu%n", &numbers[i], &used)
			    != 1)
				return false;
		}
		return true;
	}
	return false;
}

bool
floor_holds(
    FILE *f, const struct row *row, enum footing footing, const struct tally *t)
{
	size_t got[NUMBERS], want[NUMBERS];
	bool good = true;

	if (!find_floor(f, row, footing, want)) {
		printf("FAIL %s %s: not in the floor file\n", row->name,
		    footing_name(footing));
		return false;
	}
	numbers_of(t, got);
	for (int i = 0; i < NUMBERS; i++) {
		bool holds = got[i] <= want[i];

		if (i == CASES)
			holds = got[i] == want[i];
		if (i == RESTORED)
			holds = got[i] >= want[i];
		if (holds)
			continue;
		printf("FAIL %s %s: %s: %zu, was %zu\n", row->name,
		    footing_name(footing), number_name(i), got[i], want[i]);
		good = false;
	}
	return good;
}
