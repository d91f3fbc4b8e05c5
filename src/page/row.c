/* row.c - the row of one log in the table of all logs. */
#include "page/row.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

const char *
slv_row_path(const json_t *document)
{
	return json_object_get(document, "journal") != NULL
	    ? text_of(document, "path")
	    : NULL;
}

const json_t *
slv_row_report(const json_t *document)
{
	static const char *const types[] = { "file", "summary", "error" };
	const char *type = text_of(document, "type");
	const json_t *report;

	if (slv_row_path(document) != NULL) {
		report = json_object_get(document, "report");
		return json_is_object(report) ? report : document;
	}
	for (size_t i = 0; type != NULL && i < 3; i++) {
		if (strcmp(type, types[i]) == 0)
			return document;
	}
	return NULL;
}

bool
slv_row_is_set(const json_t *document)
{
	const char *type = text_of(document, "type");

	return type != NULL
	    && (strcmp(type, "set") == 0 || strcmp(type, "bag") == 0);
}

/* The robot of the log: the first annotation about a robot. */
static const char *
robot_of(const json_t *report)
{
	const json_t *all = json_object_get(report, "annotations");

	for (size_t i = 0; i < json_array_size(all); i++) {
		const json_t *one = json_array_get(all, i);
		const char *key = text_of(one, "key");

		if (key != NULL && strcasestr(key, "robot") != NULL)
			return text_of(one, "value");
	}
	return NULL;
}

static json_t *
string_or_null(const char *text)
{
	return text != NULL ? json_string(text) : json_null();
}

/* A copy of the value under a path of two keys; null if there is none. */
static json_t *
copy_of(const json_t *report, const char *key, const char *inner)
{
	const json_t *value = json_object_get(report, key);

	if (inner != NULL)
		value = json_object_get(value, inner);
	return value != NULL ? json_copy((json_t *)(uintptr_t)value)
	                     : json_null();
}

/* The broken rules, each once. */
static json_t *
rules_of(const json_t *report)
{
	const json_t *all = json_object_get(report, "violations");
	json_t *rules = json_array();
	const char *last = NULL;

	/* Violations of one rule are adjacent. */
	for (size_t i = 0; i < json_array_size(all); i++) {
		const char *rule = text_of(json_array_get(all, i), "rule");

		if (rule == NULL || (last != NULL && strcmp(rule, last) == 0))
			continue;
		last = rule;
		if (json_array_append_new(rules, json_string(rule)) != 0) {
			json_decref(rules);
			return NULL;
		}
	}
	return rules;
}

/* The state; for a file without a report, the one in its journal. */
static const char *
state_of(const json_t *document, const json_t *report)
{
	const char *state = text_of(report, "state");

	if (state == NULL)
		state = text_of(json_object_get(document, "result"), "state");
	return state != NULL ? state : "failed";
}

bool
slv_row_is_all(const json_t *document)
{
	const json_t *r = slv_row_report(document);
	const char *policy = text_of(r, "policy");
	const char *baseline = text_of(json_object_get(r, "baseline"), "state");

	return strcmp(state_of(document, r), "intact") == 0
	    && json_integer_value(json_object_get(r, "problems_total")) == 0
	    && json_array_size(json_object_get(r, "violations")) == 0
	    && (policy == NULL || strcmp(policy, "pass") == 0)
	    && (baseline == NULL || strcmp(baseline, "same") == 0);
}

/* When it begins or ends, if the log has a date. */
static json_t *
time_of(const json_t *report, const char *which)
{
	const json_t *time = json_object_get(report, "time");

	return json_is_false(json_object_get(time, "dated"))
	    ? json_null()
	    : copy_of(report, "time", which);
}

static int
add_piece(const char *piece, size_t n, void *out)
{
	slv_buf_add(out, piece, n);
	return 0;
}

void
slv_row_put(struct slv_buf *out, const json_t *document)
{
	const json_t *r = slv_row_report(document);
	const char *path = slv_row_path(document);
	json_t *row = json_array();
	json_t *const members[] = {
		string_or_null(path != NULL ? path : text_of(r, "file")),
		string_or_null(state_of(document, r)),
		copy_of(r, "format", NULL),
		string_or_null(robot_of(r)),
		copy_of(r, "size", NULL),
		copy_of(r, "bytes", "lost"),
		copy_of(r, "bytes", "rebuilt"),
		copy_of(r, "bytes", "foreign"),
		copy_of(r, "blocks", "kept"),
		copy_of(r, "blocks", "lost"),
		copy_of(r, "problems_total", NULL),
		time_of(r, "first"),
		time_of(r, "last"),
		copy_of(r, "job", NULL),
		copy_of(r, "policy", NULL),
		rules_of(r),
		copy_of(r, "baseline", "state"),
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (json_array_append_new(row, members[i]) != 0)
			out->failed = true;
	}
	if (!out->failed
	    && json_dump_callback(
	           row, add_piece, out, JSON_COMPACT | JSON_ENSURE_ASCII)
	        != 0)
		out->failed = true;
	json_decref(row);
}
