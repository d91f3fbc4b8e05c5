/* test_options.c - is every row of the table of options complete, and does an
 * option mean the same by its name in the library? */
#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/options/rules.h"
#include "options/types.h"
#include "support/check.h"
#include "unit/suites.h"
#include "options/options.h"

#define MOST 10 /* options that a screen of help has room for */

static bool
is_word(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	return name != NULL && *name >= 'a' && *name <= 'z'
	    && name[strspn(name, letters)] == '\0';
}

/* Whether what is kept comes from an argument. */
static bool
needs_argument(const struct slv_option_type *type)
{
	return type != NULL && type->stored != SLV_STORED_OTHER
	    && type->stored != SLV_STORED_FLAG;
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
		if (o->argument == NULL)
			CHECK(o->bare == 0 && !o->may_lack
			    && !needs_argument(o->type));
	}
	check_case("%s", "");
}

/* Of one command: another may need the name for something else. */
static void
names_and_letters_are_unique(void)
{
	const struct slv_option *a, *b;

	for (size_t i = 0; (a = slv_option_at(i)) != NULL; i++) {
		check_case("--%s", a->name);
		for (size_t k = 0; k < i; k++) {
			b = slv_option_at(k);
			CHECK((a->commands & b->commands) == 0
			    || strcmp(a->name, b->name) != 0);
			CHECK(a->letter == '\0' || a->letter != b->letter);
		}
	}
	check_case("%s", "");
}

static void
a_screen_has_room_for_the_common_ones(void)
{
	for (unsigned c = 1; c <= SLV_CMD_EXTRACT; c <<= 1) {
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

/* As the manual says it. */
static void
no_command_takes_what_verify_takes(void)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_next(&i, SLV_CMD_VERIFY)) != NULL;) {
		bool alone = o->group == SLV_GROUP_RULES
		    || strcmp(o->name, "deep") == 0
		    || strcmp(o->name, "junit") == 0;

		check_case("--%s", o->name);
		if (o->group != SLV_GROUP_PROGRAM)
			CHECK(((o->commands & SLV_CMD_LOOK) == 0) == alone);
	}
	for (size_t i = 0; (o = slv_option_next(&i, SLV_CMD_LOOK)) != NULL;)
		CHECK((o->commands & SLV_CMD_VERIFY) != 0);
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
		if (o->type == NULL
		    || (o->argument == NULL && needs_argument(o->type)))
			continue; /* a row that is not complete */
		if (o->argument != NULL) {
			CHECK(takes_its_argument(o));
			CHECK(o->may_lack || !takes(o, "", 0));
		}
		if (o->argument == NULL || o->bare != 0 || o->may_lack)
			CHECK(o->type->store(slv_option_home(o, &args), NULL));
	}
	check_case("%s", "");
}

static void
they_are_set_by_name(void)
{
	struct slv_options o = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_options_set(&o, "output-dir", "x", &err), &err);
	CHECK_STR(o.output_dir, "x");
	CHECK_OK(slv_options_set(&o, "map-name", "Town01", &err), &err);
	CHECK_STR(o.map_name, "Town01");
	CHECK_OK(slv_options_set(&o, "time-window", "2h", &err), &err);
	CHECK_U64(o.time_window, 7200);
	CHECK_OK(slv_options_set(&o, "max-chunk", "3M", &err), &err);
	CHECK_U64(o.limits.max_chunk, 3 << 20);
	CHECK_OK(slv_options_set(&o, "keep", "suspect,samples", &err), &err);
	CHECK_U64(o.keep, SLV_KEEP_SUSPECT | SLV_KEEP_SAMPLES);
	CHECK_OK(slv_options_set(&o, "hash", "sha256", &err), &err);
	CHECK(o.sha256);
	CHECK_OK(slv_options_set(&o, "effort", "0", &err), &err);
	CHECK(o.no_effort && o.effort == 0);
	CHECK_OK(slv_options_set(&o, "effort", "3", &err), &err);
	CHECK(!o.no_effort && o.effort == 3);
	CHECK_OK(slv_options_set(&o, "force", NULL, &err), &err);
	CHECK(o.force);
	CHECK_OK(slv_options_set(&o, "force", "no", &err), &err);
	CHECK(!o.force);
	CHECK_OK(slv_options_set(&o, "force", "yes", &err), &err);
	CHECK(o.force);
	slv_options_clear(&o);
}

/* The library keeps texts that the caller changes or frees afterwards. */
static void
texts_are_copied(void)
{
	struct slv_options *o = slv_options_new();
	char word[] = "/imu";
	struct slv_err err = { 0 };

	CHECK(o != NULL);
	CHECK_OK(slv_options_set(o, "include", word, &err), &err);
	word[1] = 'a';
	CHECK_OK(slv_options_set(o, "include", word, &err), &err);
	CHECK_OK(slv_options_temp_dir(o, word, &err), &err);
	memset(word, 0, sizeof(word));
	CHECK_U64(o->choice.include.n, 2);
	CHECK_STR(o->choice.include.at[0], "/imu");
	CHECK_STR(o->choice.include.at[1], "/amu");
	CHECK_STR(o->temp_dir, "/amu");
	slv_options_free(o);
	slv_options_free(NULL);
}

static void
the_version_is_that_of_the_build(void)
{
	char text[32];

	CHECK_STR(slv_version(), SALVOR_VERSION);
	snprintf(text, sizeof(text), "%u.%u.%u",
	    SALVOR_VERSION_NUMBER / 1000000,
	    SALVOR_VERSION_NUMBER / 1000 % 1000, SALVOR_VERSION_NUMBER % 1000);
	CHECK_STR(text, SALVOR_VERSION);
	CHECK_U64(slv_version_number(), SALVOR_VERSION_NUMBER);
}

/* Whether the library rejects the value, says of what, and sets nothing. */
static void
is_rejected(const char *name, const char *value)
{
	struct slv_options o = { .keep = SLV_KEEP_SAMPLES, .effort = 7 };
	const struct slv_options before = o;
	struct slv_err err = { 0 };

	check_case("%s=%s", name, value != NULL ? value : "(null)");
	CHECK_STATUS(slv_options_set(&o, name, value, &err), SLV_E_USAGE, &err);
	CHECK(strstr(err.text, name) != NULL);
	CHECK(memcmp(&o, &before, sizeof(o)) == 0);
}

static void
what_makes_no_sense_is_rejected(void)
{
	static const char *const bad[][2] = { { "jobs", "2" }, { "json", NULL },
		{ "no-such", "x" }, { "", "" }, { "output", NULL },
		{ "force", "maybe" }, { "force", "" },
		{ "keep", "suspect,all" }, { "keep", "samples," },
		{ "effort", "10000" }, { "effort", "1x" },
		{ "time-window", "0" }, { "time-window", "2w" },
		{ "max-chunk", "12345678901" }, { "max-memory", "2g" },
		{ "hash", "md5" }, { "map-name", "a\nb" }, { "donor", "-" } };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is_rejected(bad[i][0], bad[i][1]);
	for (size_t i = 0; i < slv_n_job_options; i++) {
		is_rejected(slv_job_options[i].name, "");
		if (slv_job_options[i].argument != NULL)
			is_rejected(slv_job_options[i].name, NULL);
	}
	check_case("%s", "");
}

CU_TestInfo options_tests[] = {
	{ "every row is complete", every_row_is_complete },
	{ "names and letters are unique", names_and_letters_are_unique },
	{ "a screen has room for the common ones",
	    a_screen_has_room_for_the_common_ones },
	{ "no command takes what verify takes",
	    no_command_takes_what_verify_takes },
	{ "arguments are what help shows", arguments_are_what_help_shows },
	{ "they are set by name", they_are_set_by_name },
	{ "texts are copied", texts_are_copied },
	{ "the version is that of the build",
	    the_version_is_that_of_the_build },
	{ "what makes no sense is rejected", what_makes_no_sense_is_rejected },
	CU_TEST_INFO_NULL,
};
