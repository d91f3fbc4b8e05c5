/* test_metrics.c - a report from a worker that a log has taken over adds nothing to
 * metrics but numbers of its own file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/metrics/metrics.h"
#include "support/check.h"
#include "unit/suites.h"

/* The metrics of reports: one of 5 lost bytes, and one that says this. */
static char *
with(const char *format, const char *lost)
{
	static const char good[] = "{\"type\":\"file\",\"state\":\"lossy\","
	                           "\"format\":\"mcap\",\"size\":9,"
	                           "\"bytes\":{\"lost\":5}}";
	struct slv_metrics m = { .n = 0 };
	char report[400];

	snprintf(report, sizeof(report),
	    "{\"type\":\"file\",\"state\":\"intact\",\"format\":%s,"
	    "\"size\":1,\"bytes\":{\"lost\":%s}}",
	    format, lost);
	CHECK(slv_metrics_add(&m, good));
	CHECK(slv_metrics_add(&m, report));
	return slv_metrics_text(&m, 2, 1);
}

static void
formats_are_names(void)
{
	static const char *const bad[] = { "\"x\\\"} 1\\nsalvor_x 7\\n#\"",
		"\"a\\nb\"", "\"a\\\\\"", "\"\\u00e4\"", "\"a b\"", "\"A\"",
		"\"a-name-that-is-far-too-long\"", "7", "null", "[]" };
	char *want = with("\"\"", "0");

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char *got = with(bad[i], "0");

		check_case("%s", bad[i]);
		CHECK_STR(got, want);
		free(got);
	}
	check_case("%s", "");
	free(want);
	want = with("\"some-4mat\"", "0");
	CHECK(strstr(want, "salvor_read_bytes{format=\"some-4mat\"} 1\n"));
	free(want);
}

static void
nothing_is_less_than_nothing(void)
{
	char *got = with("\"mcap\"", "-5");

	CHECK(strstr(got, "salvor_lost_bytes{format=\"mcap\"} 5\n") != NULL);
	free(got);
}

CU_TestInfo metrics_tests[] = {
	{ "formats are names", formats_are_names },
	{ "nothing is less than nothing", nothing_is_less_than_nothing },
	CU_TEST_INFO_NULL,
};
