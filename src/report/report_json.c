/* report_json.c - a report, a block or a problem row as one JSON object.
 *
 * The keys stand in a fixed order and are described in docs/json.md; what is
 * released stays.  Output is pure ASCII: a name from a log can neither break
 * the JSON nor drive a terminal that shows it.
 */
#include "report/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "report/json_text.h"
#include "report/words.h"

#define SCHEMA 1

static json_t *
number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

/* json_object_set_new() takes over the value and refuses NULL, so one flag
 * gathers every allocation that failed. */
struct object {
	json_t *json;
	bool failed;
};

static struct object
object(void)
{
	json_t *json = json_object();

	return (struct object){ .json = json, .failed = json == NULL };
}

static void
put(struct object *o, const char *key, json_t *value)
{
	if (json_object_set_new(o->json, key, value) != 0)
		o->failed = true;
}

/* The finished object, to be owned by the caller; NULL when it failed. */
static json_t *
done(struct object *o)
{
	if (!o->failed)
		return o->json;
	json_decref(o->json);
	return NULL;
}

static char *
dump(struct object *o)
{
	json_t *json = done(o);
	char *text = NULL;

	if (json != NULL)
		text = json_dumps(json, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(json);
	return text;
}

static void
put_path(struct object *o, const char *key, const char *key64, const char *path)
{
	put(o, key, slv_json_text(path));
	if (path != NULL && !slv_json_is_utf8(path))
		put(o, key64, slv_json_base64(path));
}

/* A moment as RFC 3339; one that no calendar has as null, with its seconds
 * beside it, as text because doubles would lose digits. */
static void
put_moment(struct object *o, const char *key, struct slv_moment m)
{
	char raw[32], text[48];

	if (slv_words_can_date(m)) {
		put(o, key, json_string(slv_words_rfc3339(m).text));
		return;
	}
	put(o, key, json_null());
	if (!m.known)
		return;
	snprintf(raw, sizeof(raw), "%s_seconds", key);
	snprintf(text, sizeof(text), "%lld", (long long)m.sec);
	put(o, raw, json_string(text));
	snprintf(raw, sizeof(raw), "%s_nanos", key);
	put(o, raw, number(m.nanos));
}

static void
append(json_t *array, struct object *o, bool *failed)
{
	if (json_array_append_new(array, done(o)) != 0)
		*failed = true;
}

static json_t *
list_done(json_t *array, bool failed)
{
	if (!failed)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *
channels_of(const struct slv_facts *f)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < f->n_channels; i++) {
		const struct slv_channel *c = &f->channels[i];
		struct object o = object();

		put(&o, "index", number(c->index));
		put(&o, "name", slv_json_text(c->name));
		put(&o, "type", slv_json_text(c->type));
		put(&o, "messages", number(c->messages));
		put(&o, "bytes", number(c->bytes));
		put_moment(&o, "first", c->first);
		put_moment(&o, "last", c->last);
		append(array, &o, &failed);
	}
	return list_done(array, failed);
}

/* A list and no object: a hostile log can give a key twice. */
static json_t *
annotations_of(const struct slv_facts *f)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < f->n_annotations; i++) {
		struct object o = object();

		put(&o, "key", slv_json_text(f->annotations[i].key));
		put(&o, "value", slv_json_text(f->annotations[i].value));
		append(array, &o, &failed);
	}
	return list_done(array, failed);
}

static json_t *
problems_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_problems; i++) {
		const struct slv_problem *p = &r->problems[i];
		struct object o = object();
		char text[512];

		slv_problem_text(p, text, sizeof(text));
		put(&o, "id", json_string(p->info->id));
		put(&o, "severity",
		    json_string(slv_severity_name(p->info->severity)));
		put(&o, "remedy",
		    json_string(slv_remedy_name(p->info->remedy)));
		put(&o, "offset", number(p->off));
		put(&o, "length", number(p->len));
		put(&o, "text", slv_json_text(text));
		append(array, &o, &failed);
	}
	return list_done(array, failed);
}

static const char *
segment_name(enum slv_seg_kind kind)
{
	switch (kind) {
	case SLV_SEG_COPY: return "copy";
	case SLV_SEG_BYTES: return "made";
	case SLV_SEG_FILL: return "fill";
	case SLV_SEG_MADE: return "made";
	case SLV_SEG_DIGEST: return "digest";
	}
	return "?";
}

static json_t *
plan_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_plan; i++) {
		const struct slv_plan_line *l = &r->plan[i];
		struct object o = object();

		put(&o, "kind", json_string(segment_name(l->kind)));
		put(&o, "output_offset", number(l->out));
		if (l->kind == SLV_SEG_COPY)
			put(&o, "input_offset", number(l->in));
		put(&o, "length", number(l->len));
		append(array, &o, &failed);
	}
	return list_done(array, failed);
}

static const char *
outcome_name(enum slv_outcome outcome)
{
	switch (outcome) {
	case SLV_OUT_NONE: return "none";
	case SLV_OUT_PLANNED: return "planned";
	case SLV_OUT_WRITTEN: return "written";
	case SLV_OUT_ALREADY: return "already";
	}
	return "?";
}

static json_t *
output_of(const struct slv_report *r)
{
	struct object o;
	char hex[2 * 20 + 1];

	if (r->outcome == SLV_OUT_NONE)
		return json_null();
	for (size_t i = 0; i < 20; i++)
		snprintf(hex + 2 * i, 3, "%02x", r->output_digest[i]);
	o = object();
	put_path(&o, "path", "path_base64", r->output);
	put(&o, "outcome", json_string(outcome_name(r->outcome)));
	put(&o, "size", number(r->output_size));
	put(&o, "sha1", json_string(hex));
	return done(&o);
}

static const char *
error_name(enum slv_status code)
{
	switch (code) {
	case SLV_OK: return "ok";
	case SLV_E_IO: return "io";
	case SLV_E_NOMEM: return "memory";
	case SLV_E_LIMIT: return "limit";
	case SLV_E_CANCELLED: return "cancelled";
	case SLV_E_EXISTS: return "exists";
	case SLV_E_REFUSED: return "refused";
	case SLV_E_ACTIVE: return "active";
	case SLV_E_BUG: return "bug";
	}
	return "?";
}

static json_t *
error_of(const struct slv_err *err)
{
	struct object o;

	if (err->code == SLV_OK)
		return json_null();
	o = object();
	put(&o, "code", json_string(error_name(err->code)));
	put(&o, "errno",
	    err->os != 0 ? number((uint64_t)err->os) : json_null());
	put(&o, "text", slv_json_text(err->text));
	return done(&o);
}

static json_t *
bytes_of(const struct slv_report *r)
{
	struct object o = object();

	for (int fate = 0; fate < SLV_FATES; fate++)
		put(&o, slv_fate_name((enum slv_fate)fate),
		    number(r->bytes[fate]));
	return done(&o);
}

static json_t *
kinds_of(const struct slv_report *r)
{
	struct object all = object();

	for (size_t i = 0; i < r->n_kinds; i++) {
		struct object o = object();

		put(&o, "kept", number(r->kinds[i].kept));
		put(&o, "lost", number(r->kinds[i].lost));
		put(&all, r->kinds[i].kind, done(&o));
	}
	return done(&all);
}

static json_t *
blocks_of(const struct slv_report *r)
{
	struct object o = object();

	put(&o, "kept", number(r->units_kept));
	put(&o, "lost", number(r->units_lost));
	return done(&o);
}

static json_t *
time_of(const struct slv_report *r)
{
	struct object o = object();

	put_moment(&o, "first", r->first);
	put_moment(&o, "last", r->last);
	return done(&o);
}

static const char *
job_name(enum slv_job job)
{
	switch (job) {
	case SLV_JOB_VERIFY: return "verify";
	case SLV_JOB_INFO: return "info";
	case SLV_JOB_LIST: return "list";
	case SLV_JOB_REPAIR: return "repair";
	}
	return "?";
}

static const char *
assurance_name(enum slv_assurance assurance)
{
	switch (assurance) {
	case SLV_BY_NOTHING: return "none";
	case SLV_BY_STRUCTURE: return "structure";
	case SLV_BY_DIGEST: return "digest";
	}
	return "?";
}

static const char *
end_name(enum slv_end end)
{
	switch (end) {
	case SLV_END_UNKNOWN: return "unknown";
	case SLV_END_KNOWN: return "known";
	case SLV_END_PROVEN: return "proven";
	}
	return "?";
}

static json_t *
word_or_null(const char *text)
{
	return slv_json_text(text != NULL && *text != '\0' ? text : NULL);
}

char *
slv_report_json(const struct slv_report *r)
{
	struct object o = object();
	bool describing = r->job == SLV_JOB_INFO || r->job == SLV_JOB_LIST;

	put(&o, "type",
	    json_string(r->job == SLV_JOB_LIST ? "summary" : "file"));
	put(&o, "schema", number(SCHEMA));
	put_path(&o, "file", "file_base64", r->file);
	put(&o, "job", json_string(job_name(r->job)));
	put(&o, "format", word_or_null(r->format));
	put(&o, "looks_like",
	    word_or_null(r->stranger != NULL ? r->stranger->id : NULL));
	put(&o, "dialect", word_or_null(r->facts.dialect));
	put(&o, "version", word_or_null(r->facts.version));
	put(&o, "state", json_string(slv_state_name(r->state)));
	put(&o, "error", error_of(&r->err));
	put(&o, "advice", word_or_null(slv_report_advice(r)));
	put(&o, "assurance", json_string(assurance_name(r->assurance)));
	put(&o, "digest", word_or_null(r->facts.digest));
	put(&o, "depth", json_string(r->glanced ? "index" : "all"));
	put(&o, "end", json_string(end_name(r->end)));
	put(&o, "repairable",
	    describing ? json_null() : json_boolean(r->repairable));
	put(&o, "proven", json_boolean(r->proven));
	put(&o, "verified", json_boolean(r->verified));
	put(&o, "size", number(r->size));
	put(&o, "bytes", bytes_of(r));
	put(&o, "blocks", blocks_of(r));
	put(&o, "kinds", kinds_of(r));
	put(&o, "time", time_of(r));
	put(&o, "channels", channels_of(&r->facts));
	put(&o, "annotations", annotations_of(&r->facts));
	put(&o, "problems", problems_of(r));
	put(&o, "problems_total", number(r->n_problems_total));
	put(&o, "output", output_of(r));
	if (r->job == SLV_JOB_REPAIR)
		put(&o, "plan", plan_of(r));
	return dump(&o);
}

char *
slv_block_json(const struct slv_block *b)
{
	struct object o = object();
	struct slv_moment time = { b->has_time, b->sec, b->nanos };

	put(&o, "type", json_string("block"));
	put(&o, "schema", number(SCHEMA));
	put(&o, "offset", number(b->off));
	put(&o, "length", number(b->len));
	put(&o, "kind", slv_json_text(b->kind));
	put(&o, "channel", b->has_channel ? number(b->channel) : json_null());
	put(&o, "name", slv_json_text(b->channel_name));
	put_moment(&o, "time", time);
	put(&o, "verdict", slv_json_text(b->verdict));
	return dump(&o);
}

char *
slv_problem_json(const struct slv_problem_info *row)
{
	struct object o = object();

	put(&o, "type", json_string("problem"));
	put(&o, "schema", number(SCHEMA));
	put(&o, "id", slv_json_text(row->id));
	put(&o, "severity", json_string(slv_severity_name(row->severity)));
	put(&o, "remedy", json_string(slv_remedy_name(row->remedy)));
	put(&o, "text", slv_json_text(row->text));
	put(&o, "means", slv_json_text(row->means));
	put(&o, "arises", slv_json_text(row->arises));
	put(&o, "repair", slv_json_text(row->repair));
	return dump(&o);
}
