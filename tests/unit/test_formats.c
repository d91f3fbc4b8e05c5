/* test_formats.c - what the core relies on in every driver's tables. */
#include <string.h>

#include "core/scan/scan.h"
#include "formats/formats.h"
#include "job/work.h"
#include "support/check.h"
#include "unit/suites.h"
#include "options/options.h"

/* The core counts units by the words of their tags: each tag needs a word,
 * and a scan has a counter for each. */
static void
every_tag_has_a_word(void)
{
	for (size_t f = 0; slv_formats[f] != NULL; f++) {
		const struct slv_format *format = slv_formats[f];

		CHECK(format->n_kinds > 0 && format->n_kinds <= SLV_KINDS_MAX);
		for (size_t i = 0; i < format->n_kinds; i++) {
			CHECK(format->kinds[i] != NULL);
			CHECK(format->kinds[i] != NULL
			    && strlen(format->kinds[i]) > 0);
		}
	}
}

static void
no_name_is_used_twice(void)
{
	for (size_t a = 0; slv_formats[a] != NULL; a++) {
		for (size_t b = 0; b < a; b++)
			CHECK(strcmp(slv_formats[a]->name, slv_formats[b]->name)
			    != 0);
	}
}

/* Whether a job hands the setting on, with the value that the caller gave. */
static bool
is_handed_on(enum slv_job job, const struct slv_setting_row *row)
{
	const struct slv_options opt = {
		.map_name = "Town01",
		.renumber = true,
		.deep = true,
		.rechunk = true,
	};
	struct slv_work w = { .job = job, .opt = &opt };
	const struct slv_scan s = { .opt.settings = slv_work_settings(&w) };
	const char *value = slv_scan_setting(&s, row->name);

	return value != NULL
	    && strcmp(value, row->type == SLV_SETTING_TEXT ? "Town01" : "")
	    == 0;
}

static void
every_setting_is_handed_on(void)
{
	const struct slv_options none = { .map_name = NULL };
	struct slv_work w = { .job = SLV_JOB_VERIFY, .opt = &none };
	size_t n = 0;

	CHECK(slv_work_settings(&w)->name == NULL);
	for (size_t f = 0; slv_formats[f] != NULL; f++) {
		const struct slv_setting_row *row = slv_formats[f]->settings;

		for (; row != NULL && row->name != NULL; row++, n++)
			CHECK(is_handed_on(SLV_JOB_VERIFY, row)
			    || is_handed_on(SLV_JOB_REPAIR, row));
	}
	CHECK_U64(n, SLV_SETTINGS_MAX);
}

CU_TestInfo formats_tests[] = {
	{ "every tag has a word", every_tag_has_a_word },
	{ "no name is used twice", no_name_is_used_twice },
	{ "every setting is handed on", every_setting_is_handed_on },
	CU_TEST_INFO_NULL,
};
