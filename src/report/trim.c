/* trim.c - a report that must not be longer than so much. */
#include "report/trim.h"

#include <stdlib.h>
#include <string.h>

#include "report/json_object.h"

#define ENTRIES 1024 /* of a list, the first that is tried */

/* Cut all lists in a value, at any depth of a report. */
static void
cut(json_t *value, size_t entries)
{
	const char *key;
	json_t *member;
	size_t i;

	while (json_array_size(value) > entries)
		json_array_remove(value, json_array_size(value) - 1);
	json_array_foreach(value, i, member) cut(member, entries);
	json_object_foreach(value, key, member) cut(member, entries);
}

static char *
dump_cut(json_t *report, size_t entries)
{
	struct slv_object o = { .json = json_incref(report) };

	cut(report, entries);
	slv_put(&o, "trimmed", slv_json_number(entries));
	return slv_object_dump(&o);
}

char *
slv_report_trim(char *report, size_t most)
{
	json_t *json;

	if (report == NULL || strlen(report) <= most)
		return report;
	json = json_loads(report, 0, NULL);
	for (size_t entries = ENTRIES;; entries /= 2) {
		free(report);
		report = json != NULL ? dump_cut(json, entries) : NULL;
		if (report == NULL || strlen(report) <= most || entries == 0)
			break;
	}
	json_decref(json);
	return report;
}
