/* bag_tell.c - what is wrong with a bag, for people and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "batch/ros2/bag.h"
#include "report/json/json_object.h"
#include "report/text/words.h"

#define SECOND 1000000000u /* nanoseconds */
#define SHOWN  20          /* findings, for people */

static const char *const ids[SLV_BAG_ROWS] = {
	[SLV_BAG_COUNT] = "ros2.count",
	[SLV_BAG_EXTRA] = "ros2.extra",
	[SLV_BAG_FIELD] = "ros2.field",
	[SLV_BAG_MISSING] = "ros2.missing",
	[SLV_BAG_NO_METADATA] = "ros2.no-metadata",
	[SLV_BAG_STORAGE] = "ros2.storage",
	[SLV_BAG_TIME] = "ros2.time",
	[SLV_BAG_TOPIC] = "ros2.topic",
	[SLV_BAG_UNREAD] = "ros2.unread",
	[SLV_BAG_VERSION] = "ros2.version",
	[SLV_BAG_YAML] = "ros2.yaml",
};

static struct slv_moment
moment(uint64_t nanos, bool known)
{
	return (struct slv_moment){
		.sec = (int64_t)(nanos / SECOND),
		.nanos = (uint32_t)(nanos % SECOND),
		.known = known,
	};
}

/* A field with a text; NULL: it says nothing. */
static const char *
says(const struct slv_bag *b, const char *name)
{
	const char *text =
	    slv_yaml_text(&b->yaml, slv_yaml_get(&b->yaml, b->root, name));

	return text != NULL && *text != '\0' ? text : NULL;
}

static void
put_line(struct slv_buf *out, const char *text, const char *id)
{
	char *safe = slv_escape(text);

	slv_buf_printf(out, "  %s  [%s]\n", safe != NULL ? safe : "?", id);
	slv_free(safe);
}

/* What its files are, in one line. */
static void
put_summary(struct slv_buf *out, const struct slv_bag *b)
{
	bool known = b->span.messages > 0;
	const char *distro = says(b, "ros_distro");
	const char *mode = says(b, "compression_mode");
	char *safe = slv_escape(distro != NULL ? distro : "");

	slv_buf_printf(out, "  %s in %s, %s",
	    slv_words_some(b->span.messages, "message").text,
	    slv_words_some(b->n_files, "file").text,
	    known ? slv_words_span(
	        moment(b->span.first, true), moment(b->span.last, true))
	                .text
	          : "no times");
	if (b->version > 0)
		slv_buf_printf(out, "; version %" PRIu64, b->version);
	if (distro != NULL && safe != NULL)
		slv_buf_printf(out, ", %s", safe);
	if (mode != NULL && strcmp(mode, "MESSAGE") == 0)
		slv_buf_text(out,
		    "; payloads are compressed, and kept as they "
		    "are");
	slv_buf_text(out, "\n");
	slv_free(safe);
}

/* How people read the state; others do not occur. */
static const char *const verdicts[SLV_STATES] = {
	[SLV_STATE_INTACT] = SLV_BAG_METADATA " agrees with its files",
	[SLV_STATE_DAMAGED] = "DAMAGED",
	[SLV_STATE_REPAIRED] = "REPAIRED",
	[SLV_STATE_LOSSY] = "REPAIRED, with losses",
	[SLV_STATE_UNSUPPORTED] = "UNSUPPORTED",
	[SLV_STATE_FAILED] = "not judged",
};

char *
slv_bag_text(const struct slv_bag *b, enum slv_state state, const char *output)
{
	struct slv_buf out = { 0 };
	char *safe = slv_escape(b->folder);

	slv_buf_printf(&out, "%s: a bag of ROS 2, %s\n",
	    safe != NULL ? safe : "?", verdicts[state]);
	slv_free(safe);
	put_summary(&out, b);
	for (size_t i = 0; i < b->n_findings && i < SHOWN; i++)
		put_line(&out, b->findings[i].text, ids[b->findings[i].row]);
	if (b->total > SHOWN)
		slv_buf_printf(&out, "  and %s\n",
		    slv_words_some(b->total - SHOWN, "more finding").text);
	if (output != NULL && (safe = slv_escape(output)) != NULL) {
		slv_buf_printf(&out, "  wrote %s\n", safe);
		slv_free(safe);
	}
	return slv_buf_take(&out);
}

static const struct slv_problem_info *
row_of(enum slv_bag_row which)
{
	const struct slv_problem_info *row;

	for (size_t i = 0; (row = slv_problem_at(i)) != NULL; i++) {
		if (strcmp(row->id, ids[which]) == 0)
			return row;
	}
	return NULL;
}

static json_t *
findings_of(const struct slv_bag *b)
{
	const struct slv_problem_info *rows[SLV_BAG_ROWS] = { NULL };
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < b->n_findings; i++) {
		const struct slv_bag_finding *f = &b->findings[i];
		struct slv_object o = slv_object();

		if (rows[f->row] == NULL)
			rows[f->row] = row_of(f->row);
		slv_put(&o, "id", json_string(ids[f->row]));
		slv_put(&o, "severity",
		    json_string(slv_severity_name(rows[f->row]->severity)));
		slv_put(&o, "remedy",
		    json_string(slv_remedy_name(rows[f->row]->remedy)));
		slv_put(&o, "text", slv_json_text(f->text));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
files_of(const struct slv_bag *b)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < b->n_files; i++) {
		const struct slv_bag_file *f = &b->files[i];
		struct slv_object o = slv_object();
		bool known = f->read && f->span.messages > 0;

		slv_put_path(&o, "file", "file_base64", f->path);
		slv_put(&o, "messages",
		    f->read ? slv_json_number(f->span.messages) : json_null());
		slv_put_moment(&o, "first", moment(f->span.first, known));
		slv_put_moment(&o, "last", moment(f->span.last, known));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

char *
slv_bag_json(const struct slv_bag *b, enum slv_state state, const char *output)
{
	struct slv_object o = slv_object_of_type("bag");
	bool known = b->span.messages > 0;

	slv_put_path(&o, "bag", "bag_base64", b->folder);
	slv_put(&o, "format", json_string("mcap"));
	slv_put(&o, "version",
	    b->version > 0 ? slv_json_number(b->version) : json_null());
	slv_put(&o, "ros_distro", slv_json_text(says(b, "ros_distro")));
	slv_put(&o, "compression_format",
	    slv_json_text(says(b, "compression_format")));
	slv_put(
	    &o, "compression_mode", slv_json_text(says(b, "compression_mode")));
	slv_put(&o, "messages", slv_json_number(b->span.messages));
	slv_put_moment(&o, "first", moment(b->span.first, known));
	slv_put_moment(&o, "last", moment(b->span.last, known));
	slv_put(&o, "files", files_of(b));
	slv_put(&o, "state", json_string(slv_state_name(state)));
	slv_put(&o, "problems", findings_of(b));
	slv_put(&o, "problems_total", slv_json_number(b->total));
	slv_put_path(&o, "output", "output_base64", output);
	return slv_object_dump(&o);
}
