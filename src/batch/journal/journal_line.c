/* journal_line.c - a line of a journal.
 *
 * The report in it is not parsed here: it is inserted unchanged, so that it can
 * be extracted unchanged.
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text/hex.h"
#include "batch/journal/journal.h"
#include "digest/digest.h"
#include "report/json/json_object.h"

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

/* The file that a repair wrote, or found existing; null: none. */
static json_t *
output_of(const struct slv_journal_done *done)
{
	struct slv_object o;
	char hex[SLV_HEX(SLV_SHA256_SIZE)];

	if (done->output == NULL)
		return json_null();
	o = slv_object();
	slv_put(&o, "path", slv_json_text(done->output));
	put_stamp(&o, &done->stamp);
	if (done->sha256 != NULL)
		slv_hex(hex, done->sha256, SLV_SHA256_SIZE);
	slv_put(&o, "sha256",
	    done->sha256 != NULL ? json_string(hex) : json_null());
	return slv_object_done(&o);
}

/* "pass", "fail" or null: a file that was not judged. */
static json_t *
policy_of(enum slv_policy_verdict policy)
{
	if (policy == SLV_POLICY_NONE)
		return json_null();
	return json_string(policy == SLV_POLICY_PASS ? "pass" : "fail");
}

/* Lines, each ended by a newline, as a list. */
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

/* What the run requested, and found. */
static void
put_run(struct slv_object *o, struct slv_object *result,
    const struct slv_journal_run *run, const struct slv_journal_done *done)
{
	bool compared = done->baseline != SLV_BASELINE_NONE;

	slv_put(o, "options", list_of(run->options));
	if (run->rules != NULL) {
		slv_put(result, "policy", policy_of(done->policy));
		slv_put(o, "rules", json_string(run->rules));
	}
	if (!run->baseline)
		return;
	slv_put(result, "baseline",
	    json_string(slv_baseline_name(
	        compared ? done->baseline : SLV_BASELINE_UNKNOWN)));
	slv_put(o, "baseline",
	    done->since != 0 ? json_integer(done->since) : json_null());
}

char *
slv_journal_line(
    const struct slv_journal_run *run, const struct slv_journal_done *done)
{
	struct slv_object o = slv_object(), result = slv_object();
	struct slv_buf line = { 0 };
	char *head;

	slv_put(&o, "journal", json_integer(1));
	slv_put(&o, "command", json_string(run->command));
	slv_put_path(&o, "path", "path_base64", done->path);
	if (done->named)
		slv_put(&o, "named", json_true());
	put_stamp(&o, &done->before);
	slv_put(&o, "when", json_integer(time(NULL)));
	slv_put(&result, "state", json_string(slv_state_name(done->state)));
	slv_put(&result, "exit", json_integer(done->code));
	put_run(&o, &result, run, done);
	slv_put(&o, "result", slv_object_done(&result));
	slv_put(&o, "output", output_of(done));
	head = slv_object_dump(&o);
	if (head == NULL)
		return NULL;
	slv_buf_add(&line, head, strlen(head) - 1);
	if (run->digests)
		slv_buf_printf(&line, ",\"digests\":%s",
		    done->digests != NULL ? done->digests : "null");
	slv_buf_printf(&line, ",\"report\":%s}", done->report);
	slv_free(head);
	return slv_buf_take(&line);
}
