/* test_subset.c - parts of an archive: together all of it, none twice. */
#include <stdio.h>

#include "batch/find/shard.h"
#include "batch/find/subset.h"
#include "support/check.h"
#include "unit/suites.h"

#define FILES 2000

static void
name_of(unsigned i, char name[32])
{
	snprintf(name, 32, "robot-%u/log-%04u.bag", i % 7, i);
}

/* How many of the parts a file is in; counts[] are the files of each. */
static unsigned
parts_with(
    const struct slv_subset *parts, size_t n, unsigned i, unsigned counts[])
{
	char name[32];
	unsigned found = 0;

	name_of(i, name);
	for (size_t k = 0; k < n; k++) {
		bool has = slv_subset_has(&parts[k], name);

		found += has;
		counts[k] += has;
	}
	return found;
}

static void
hold_all(const struct slv_subset *parts, size_t n)
{
	unsigned counts[400] = { 0 };

	for (unsigned i = 0; i < FILES && !check_enough(); i++)
		CHECK_U64(parts_with(parts, n, i, counts), 1);
	for (size_t k = 0; k < n; k++) {
		check_case("part %zu of %zu", k + 1, n);
		CHECK(counts[k] > FILES / n / 2 && counts[k] < 2 * FILES / n);
	}
}

static void
parts_are_the_whole(void)
{
	struct slv_subset parts[400];
	char text[16];

	for (unsigned n = 1; n <= 20; n++) {
		for (unsigned i = 1; i <= n; i++) {
			snprintf(text, sizeof(text), "%u/%u", i, n);
			CHECK(slv_subset_parse(text, 77, &parts[i - 1]));
			CHECK(!parts[i - 1].share);
		}
		hold_all(parts, n);
	}
}

static void
days_are_the_whole(void)
{
	static const struct {
		const char *text;
		unsigned days;
	} shares[] = { { "5%", 20 }, { "2.5%", 40 }, { "12.5%", 8 },
		{ "25%", 4 }, { "100%", 1 } };
	struct slv_subset parts[400];

	for (size_t k = 0; k < sizeof(shares) / sizeof(*shares); k++) {
		for (unsigned day = 0; day < shares[k].days; day++) {
			CHECK(slv_subset_parse(
			    shares[k].text, 20780 + day, &parts[day]));
			CHECK(parts[day].share);
		}
		hold_all(parts, shares[k].days);
	}
}

/* What does not divide the whole reaches every file all the same. */
static void
odd_shares_reach_all(void)
{
	unsigned counts[400] = { 0 };
	struct slv_subset parts[4];

	for (unsigned day = 0; day < 4; day++)
		CHECK(slv_subset_parse("30%", 20780 + day, &parts[day]));
	for (unsigned i = 0; i < FILES && !check_enough(); i++) {
		unsigned found = parts_with(parts, 4, i, counts);

		CHECK(found == 1 || found == 2);
	}
}

/* A shard has its share of each part. */
static void
shards_cut_across(void)
{
	const struct slv_shard shard = { 3, 7 };
	struct slv_subset part;
	unsigned both = 0;
	char name[32];

	CHECK(slv_subset_parse("2/7", 0, &part));
	for (unsigned i = 0; i < FILES; i++) {
		name_of(i, name);
		both +=
		    slv_shard_has(&shard, name) && slv_subset_has(&part, name);
	}
	CHECK(both > FILES / 98 && both < FILES / 24);
}

static void
nonsense_is_refused(void)
{
	static const char *const none[] = { "", "%", "0%", "0.00%", "101%",
		"100.01%", "5", "5%%", "-5%", "5.%", ".5%", "5.125%", "1e1%",
		"5 %", "1000%", "0/7", "8/7", "1/0", "auto", "auto/7", "1/" };
	struct slv_subset s;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		check_case("%s", none[i]);
		CHECK(!slv_subset_parse(none[i], 0, &s));
	}
}

CU_TestInfo subset_tests[] = {
	{ "parts are the whole", parts_are_the_whole },
	{ "days are the whole", days_are_the_whole },
	{ "odd shares reach all", odd_shares_reach_all },
	{ "shards cut across", shards_cut_across },
	{ "nonsense is refused", nonsense_is_refused },
	CU_TEST_INFO_NULL,
};
