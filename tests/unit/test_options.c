/* test_options.c - is every row of the table of options complete, and does an
 * option mean the same by its name in the library? */
#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/options/rules.h"
#include "options/types.h"
#include "support/check.h"
#include "unit/suites.h"

#define MOST 10 /* options that a screen of help has room for */

static bool
is_word(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	return name != NULL && *name >= 'a' && *name <= 'z'
	    && name[strspn(name, letters)] == '\0';
}

static void
every_row_is_complete(void)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_at(i)) != NULL; i++) {
		check_case("row %zu", i);
		if (!CHECK(is_word(o->name)))
			continue;
		check_case("--%s", o->name);
		CHECK(o->group > 0 && o->group < SLV_GROUPS);
		CHECK(o->commands != 0);
		CHECK((o->common & ~o->commands) == 0);
		CHECK((o->bare & ~o->commands) == 0);
		CHECK(o->type != NULL && o->type->store != NULL);
		if (!CHECK(o->help != NULL && *o->help != '\0'))
			continue;
		CHECK(strlen(o->help) <= SLV_OPTION_HELP);
		CHECK(o->help[strlen(o->help) - 1] != '.');
		CHECK(o->argument != NULL || (o->bare == 0 && !o->may_lack));
	}
	check_case("%s", "");
}

static void
names_and_letters_are_unique(void)
{
	const struct slv_option *a, *b;

	for (size_t i = 0; (a = slv_option_at(i)) != NULL; i++) {
		check_case("--%s", a->name);
		for (size_t k = 0; k < i; k++) {
			b = slv_option_at(k);
			CHECK(strcmp(a->name, b->name) != 0);
			CHECK(a->letter == '\0' || a->letter != b->letter);
		}
	}
	check_case("%s", "");
}

static void
a_screen_has_room_for_the_common_ones(void)
{
	for (unsigned c = 1; c <= SLV_CMD_COLLECT; c <<= 1) {
		const struct slv_option *o;
		size_t n = 0;

		for (size_t i = 0; (o = slv_option_at(i)) != NULL; i++)
			n += (o->common & c) != 0;
		check_case("command %x", c);
		CHECK(n <= MOST);
		CHECK(n > 0 || c == SLV_CMD_NONE || c == SLV_CMD_LOOK);
	}
	check_case("%s", "");
}

/* Whether the option takes the value, n bytes of text. */
static bool
takes(const struct slv_option *o, const char *text, size_t n)
{
	struct slv_args args = { .verbose = false };
	char *value = strndup(text, n);
	bool good =
	    value != NULL && o->type->store(slv_option_home(o, &args), value);

	slv_rules_free(&args);
	free(value);
	return good;
}

/* Whether it takes one of the values that its argument shows, a|b, or what N and I/N
 * may be. */
static bool
takes_its_argument(const struct slv_option *o)
{
	const char *at = o->argument;

	for (;;) {
		size_t n = strcspn(at, "|");

		if (takes(o, at, n))
			return true;
		if (at[n] == '\0')
			return takes(o, "1", 1) || takes(o, "1/2", 3);
		at += n + 1;
	}
}

static void
arguments_are_what_help_shows(void)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_at(i)) != NULL; i++) {
		struct slv_args args = { .verbose = false };

		check_case("--%s", o->name);
		if (o->argument != NULL) {
			CHECK(takes_its_argument(o));
			CHECK(o->may_lack || !takes(o, "", 0));
		}
		if (o->argument == NULL || o->bare != 0 || o->may_lack)
			CHECK(o->type->store(slv_option_home(o, &args), NULL));
	}
	check_case("%s", "");
}

CU_TestInfo options_tests[] = {
	{ "every row is complete", every_row_is_complete },
	{ "names and letters are unique", names_and_letters_are_unique },
	{ "a screen has room for the common ones",
	    a_screen_has_room_for_the_common_ones },
	{ "arguments are what help shows", arguments_are_what_help_shows },
	CU_TEST_INFO_NULL,
};
