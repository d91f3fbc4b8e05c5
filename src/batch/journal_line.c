/* journal_line.c - a line of a journal. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "batch/journal.h"
#include "report/json_object.h"

bool
slv_stamp_of(const char *path, struct slv_stamp *out)
{
	struct stat st;
	bool good = stat(path, &st) == 0;

	*out = (struct slv_stamp){ .size = 0 };
	if (good)
		*out = (struct slv_stamp){
			.size = (uint64_t)st.st_size,
			.mtime = (int64_t)st.st_mtim.tv_sec * 1000000000
			    + st.st_mtim.tv_nsec,
			.inode = st.st_ino,
		};
	return good;
}

static void
put_stamp(struct slv_object *o, const struct slv_stamp *s)
{
	slv_put(o, "size", slv_json_number(s->size));
	slv_put(o, "mtime_ns", json_integer(s->mtime));
	slv_put(o, "inode", slv_json_number(s->inode));
}

/* The file that a repair wrote, or found there; null: none. */
static json_t *
output_of(json_t *report)
{
	json_t *told = json_object_get(report, "output");
	const char *path = json_string_value(json_object_get(told, "path"));
	const char *how = json_string_value(json_object_get(told, "outcome"));
	struct slv_object o;
	struct slv_stamp stamp;

	if (path == NULL || how == NULL
	    || (strcmp(how, "written") != 0 && strcmp(how, "already") != 0))
		return json_null();
	o = slv_object();
	slv_put(&o, "path", json_string(path));
	slv_stamp_of(path, &stamp);
	put_stamp(&o, &stamp);
	slv_put(&o, "sha256", json_incref(json_object_get(told, "sha256")));
	return slv_object_done(&o);
}

/* "pass", "fail" or null: a file that was not judged. */
static json_t *
policy_of(json_t *report)
{
	json_t *policy = json_object_get(report, "policy");

	return policy != NULL ? json_incref(policy) : json_null();
}

/* One behind the other, each ended by a newline, as a list. */
static json_t *
list_of(const char *options)
{
	json_t *list = json_array();
	bool failed = false;

	for (size_t n; *options != '\0'; options += n + 1) {
		n = strcspn(options, "\n");
		failed |=
		    json_array_append_new(list, json_stringn(options, n)) != 0;
	}
	return slv_array_done(list, failed);
}

/* What the run asked for, and found. */
static void
put_run(struct slv_object *o, struct slv_object *result,
    const struct slv_journal_run *run, const struct slv_journal_done *done,
    json_t *report)
{
	json_t *baseline = json_object_get(report, "baseline");

	slv_put(o, "options", list_of(run->options));
	if (run->rules != NULL) {
		slv_put(result, "policy", policy_of(report));
		slv_put(o, "rules", json_string(run->rules));
	}
	if (!run->baseline)
		return;
	baseline = json_object_get(baseline, "state");
	slv_put(result, "baseline",
	    baseline != NULL
	        ? json_incref(baseline)
	        : json_string(slv_baseline_name(SLV_BASELINE_UNKNOWN)));
	slv_put(o, "baseline",
	    done->since != 0 ? json_integer(done->since) : json_null());
}

char *
slv_journal_line(
    const struct slv_journal_run *run, const struct slv_journal_done *done)
{
	json_t *json = json_loads(done->report, 0, NULL);
	struct slv_object o = slv_object(), result = slv_object();
	json_t *state = json_object_get(json, "state");
	struct slv_buf line = { 0 };
	char *head;

	slv_put(&o, "journal", json_integer(1));
	slv_put(&o, "command", json_string(run->command));
	slv_put_path(&o, "path", "path_base64", done->path);
	if (done->named)
		slv_put(&o, "named", json_true());
	put_stamp(&o, &done->before);
	slv_put(&o, "when", json_integer(time(NULL)));
	/* An error is no report, and has no state. */
	slv_put(&result, "state",
	    state != NULL ? json_incref(state)
	                  : json_string(slv_state_name(SLV_STATE_FAILED)));
	slv_put(&result, "exit", json_integer(done->code));
	put_run(&o, &result, run, done, json);
	slv_put(&o, "result", slv_object_done(&result));
	slv_put(&o, "output", output_of(json));
	json_decref(json);
	head = json != NULL ? slv_object_dump(&o) : NULL;
	if (head == NULL)
		return NULL;
	/* As it is, so that it can be taken out as it was. */
	slv_buf_add(&line, head, strlen(head) - 1);
	if (run->digests)
		slv_buf_printf(&line, ",\"digests\":%s",
		    done->digests != NULL ? done->digests : "null");
	slv_buf_printf(&line, ",\"report\":%s}", done->report);
	free(head);
	return slv_buf_take(&line);
}
