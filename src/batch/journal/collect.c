/* collect.c - on what the journals of several machines disagree. */
#include "batch/journal/collect.h"

#include <stdlib.h>

#include "report/json/json_object.h"

/* The report of an entry without what differs between two equal jobs; NULL: it
 * cannot be read. */
static json_t *
essence(const struct slv_journal *j, const struct slv_entry *e)
{
	char *text = slv_journal_report(j, e);
	json_t *report = text != NULL ? json_loads(text, 0, NULL) : NULL;

	slv_free(text);
	if (report != NULL) {
		json_object_del(json_object_get(report, "output"), "outcome");
		json_object_del(report, "made_by");
	}
	return report;
}

bool
slv_collect_differ(const struct slv_journal *j, const struct slv_entry *a,
    const struct slv_entry *b)
{
	json_t *x, *y;
	bool same;

	if (slv_entry_failed(a) || slv_entry_failed(b)
	    || a->input.size != b->input.size
	    || a->input.mtime != b->input.mtime)
		return false;
	x = essence(j, a);
	y = essence(j, b);
	same = x != NULL && y != NULL && a->code == b->code && json_equal(x, y);
	json_decref(x);
	json_decref(y);
	return !same;
}

char *
slv_collect_missing(const char *path, bool changed)
{
	struct slv_object o = slv_object_of_type("missing");

	slv_put_path(&o, "file", "file_base64", path);
	slv_put(&o, "reason", json_string(changed ? "changed" : "never"));
	return slv_object_dump(&o);
}

static void
put_result(json_t *all, const struct slv_entry *e, const char *const *journals,
    bool *failed)
{
	struct slv_object o = slv_object();

	slv_put_path(&o, "journal", "journal_base64", journals[e->file]);
	slv_put(&o, "when", json_integer(e->when));
	slv_put(&o, "state", json_string(slv_state_name(e->state)));
	slv_put(&o, "exit", json_integer(e->code));
	slv_put(&o, "sha256",
	    e->sha256 != NULL ? json_string(e->sha256) : json_null());
	slv_array_add(all, &o, failed);
}

char *
slv_collect_conflict(const struct slv_entry *a, const struct slv_entry *b,
    const char *const *journals)
{
	struct slv_object o = slv_object_of_type("conflict");
	json_t *results = json_array();
	bool failed = false;

	slv_put_path(&o, "file", "file_base64", a->path);
	put_result(results, a, journals, &failed);
	put_result(results, b, journals, &failed);
	slv_put(&o, "results", slv_array_done(results, failed));
	return slv_object_dump(&o);
}

char *
slv_collect_unread(const struct slv_unread *u, const char *const *journals)
{
	struct slv_object o = slv_object_of_type("unread");

	slv_put_path(&o, "journal", "journal_base64", journals[u->file]);
	slv_put(&o, "line", json_integer((json_int_t)u->line));
	slv_put(&o, "reason",
	    json_string(u->why == SLV_UNREAD_FOREIGN ? "foreign" : "garbled"));
	return slv_object_dump(&o);
}
