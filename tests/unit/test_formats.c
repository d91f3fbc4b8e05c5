/* test_formats.c - what the core relies on in every driver's tables. */
#include <string.h>

#include "core/scan.h"
#include "formats/formats.h"
#include "support/check.h"
#include "unit/suites.h"

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

CU_TestInfo formats_tests[] = {
	{ "every tag has a word", every_tag_has_a_word },
	{ "no name is used twice", no_name_is_used_twice },
	CU_TEST_INFO_NULL,
};
