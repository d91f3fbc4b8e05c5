/* junit_case.c - an audited log as a JUnit test case. */
#include "report/junit_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "report/json/json_object.h"
#include "report/text/words.h"
#include "salvor.h"
#include "salvor_many.h"

#define FINDINGS_MAX 100 /* listed findings of a file */

/* Text for XML: the value of an attribute or the content of an element. */
static void
put(struct slv_buf *out, const char *text)
{
	static const struct {
		uint32_t code;
		const char *instead;
	} marks[] = {
		{ '&', "&amp;" },
		{ '<', "&lt;" },
		{ '>', "&gt;" },
		{ '"', "&quot;" },
		{ '\'', "&apos;" },
		/* Text, but not valid in XML. */
		{ 0xfffe, "\\xEF\\xBF\\xBE" },
		{ 0xffff, "\\xEF\\xBF\\xBF" },
	};
	char *safe = slv_escape(text != NULL ? text : "-");
	size_t left = safe != NULL ? strlen(safe) : 0, n;

	out->failed |= safe == NULL;
	for (const char *at = safe; left > 0; at += n, left -= n) {
		uint32_t code = 0;
		const char *instead = NULL;

		n = slv_utf8_next((const uint8_t *)at, left, &code);
		for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
			if (marks[i].code == code)
				instead = marks[i].instead;
		}
		if (instead != NULL)
			slv_buf_text(out, instead);
		else
			slv_buf_add(out, at, n);
	}
	slv_free(safe);
}

static const char *
text_of(json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static uint64_t
number_of(json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

static void
open_case(struct slv_buf *out, struct slv_junit_counts *counts,
    const char *file, const char *format, double seconds)
{
	counts->tests++;
	slv_buf_text(out, "<testcase classname=\"salvor.");
	put(out, format);
	slv_buf_text(out, "\" name=\"");
	put(out, file);
	slv_buf_text(out, "\" file=\"");
	put(out, file);
	slv_buf_text(out, "\"");
	if (seconds >= 0) {
		counts->seconds += seconds;
		slv_buf_printf(out, " time=\"%.3f\"", seconds);
	}
}

/* "  1,238  cut inside a block ...  [bddf.cut-block]" */
static void
put_findings(struct slv_buf *out, json_t *all)
{
	size_t n = json_array_size(all);

	for (size_t i = 0; i < n && i < FINDINGS_MAX; i++) {
		json_t *one = json_array_get(all, i);

		slv_buf_text(out, "\n");
		if (json_is_integer(json_object_get(one, "offset")))
			slv_buf_printf(out, "%s  ",
			    slv_words_count(number_of(one, "offset")).text);
		put(out, text_of(one, "text"));
		slv_buf_text(out, "  [");
		put(out, text_of(one, "id"));
		slv_buf_text(out, "]");
	}
	if (n > FINDINGS_MAX)
		slv_buf_printf(out, "\n... and %s more",
		    slv_words_count(n - FINDINGS_MAX).text);
}

/* The file could not be judged. */
static void
put_error(struct slv_buf *out, const char *type, const char *text)
{
	slv_buf_text(out, ">\n<error type=\"");
	put(out, type);
	slv_buf_text(out, "\" message=\"");
	put(out, text);
	slv_buf_text(out, "\"/>\n</testcase>\n");
}

static void
put_failure(struct slv_buf *out, json_t *report, const char *state, bool sound,
    bool policy, bool differs)
{
	json_t *baseline = json_object_get(report, "baseline");
	uint64_t lost = number_of(json_object_get(report, "bytes"), "lost");

	slv_buf_text(out, ">\n<failure type=\"");
	put(out, !sound ? state : differs ? "baseline" : "policy");
	slv_buf_text(out, "\" message=\"");
	put(out, state);
	if (!sound)
		slv_buf_printf(out, ": %s, %s lost",
		    slv_words_some(
		        number_of(report, "problems_total"), "finding")
		        .text,
		    slv_words_some(lost, "byte").text);
	if (policy)
		slv_buf_text(out, "; policy: fail");
	if (differs)
		slv_buf_text(out, "; baseline: differs");
	slv_buf_text(out, "\">");
	put_findings(out, json_object_get(report, "problems"));
	put_findings(out, json_object_get(report, "violations"));
	if (differs) {
		slv_buf_text(out, "\n");
		put(out, text_of(baseline, "text"));
		slv_buf_text(out, "  [");
		put(out, text_of(baseline, "id"));
		slv_buf_text(out, "]");
	}
	slv_buf_text(out, "\n</failure>\n</testcase>\n");
}

static bool
is_one_of(const char *state, const char *a, const char *b)
{
	return strcmp(state, a) == 0 || strcmp(state, b) == 0;
}

bool
slv_junit_case(struct slv_buf *out, struct slv_junit_counts *counts,
    const char *file, const char *text, double seconds)
{
	json_t *report = json_loads(text, 0, NULL);
	json_t *error = json_object_get(report, "error");
	const char *type = text_of(report, "type");
	const char *state = text_of(report, "state");
	const char *format = text_of(report, "format");
	const char *policy = text_of(report, "policy");
	bool failed = type != NULL && strcmp(type, "error") == 0;
	bool broken = policy != NULL && strcmp(policy, "fail") == 0;
	const char *since =
	    text_of(json_object_get(report, "baseline"), "state");
	bool differs = since != NULL && strcmp(since, "differs") == 0;
	bool sound;

	if (!failed && state == NULL) {
		json_decref(report);
		return false;
	}
	open_case(
	    out, counts, file, format != NULL ? format : "unknown", seconds);
	error = failed ? report : error;
	sound = !failed && is_one_of(state, "intact", "indexed");
	if (failed || json_is_object(error)) {
		counts->errors++;
		put_error(out, text_of(error, "code"), text_of(error, "text"));
	} else if (is_one_of(state, "active", "cancelled")) {
		counts->errors++;
		put_error(out, state, state);
	} else if (!sound || broken || differs) {
		counts->failures++;
		put_failure(out, report, state, sound, broken, differs);
	} else {
		slv_buf_text(out, "/>\n");
	}
	json_decref(report);
	return true;
}

void
slv_junit_stopped(struct slv_buf *out, struct slv_junit_counts *counts,
    uint64_t done, uint64_t given)
{
	struct slv_buf text = { 0 };
	char *message;

	slv_buf_printf(
	    &text, "%" PRIu64 " of %" PRIu64 " files were done", done, given);
	message = slv_buf_take(&text);
	out->failed |= message == NULL;
	counts->errors++;
	open_case(out, counts, "the whole run", "run", -1);
	put_error(out, "stopped", message);
	slv_free(message);
}

void
slv_junit_head(struct slv_buf *out, const struct slv_junit_counts *c)
{
	struct slv_buf sums = { 0 };
	char *text;

	slv_buf_printf(&sums,
	    " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"%" PRIu64
	    "\" skipped=\"0\" time=\"%.3f\">\n",
	    c->tests, c->failures, c->errors, c->seconds);
	text = slv_buf_take(&sums);
	out->failed |= text == NULL;
	if (text != NULL)
		slv_buf_printf(out,
		    SLV_JUNIT_BEGIN "%s<testsuite name=\"salvor verify\"%s",
		    text, text);
	slv_buf_printf(out,
	    "<properties>\n<property name=\"salvor\" value=\"%s\"/>\n"
	    "</properties>\n",
	    slv_version());
	slv_free(text);
}

void
slv_junit_tail(struct slv_buf *out)
{
	slv_buf_text(out, "</testsuite>\n</testsuites>\n");
}
