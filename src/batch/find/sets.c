/* sets.c - compare the segments of one recording, each a file of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/sort.h"
#include "batch/find/set_file.h"

#define DIGITS_MOST 5 /* longer numbers are a date or a time of day */
#define DIGITS      "0123456789"
#define RECORD      ".record."

/* Offset of the last extension, if it is that of a log; else 0. */
static size_t
extension(const char *path)
{
	static const char *const known[] = { ".bag", ".bddf", ".log",
		".record" };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot != NULL && i < 4; i++) {
		if (strcmp(dot, known[i]) == 0)
			return (size_t)(dot - path);
	}
	return 0;
}

bool
slv_segment_name(const char *path, struct slv_segment_name *out)
{
	const char *slash = strrchr(path, '/');
	size_t base = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	size_t end = extension(path), at;
	bool by_record = end == 0;

	if (by_record)
		end = strlen(path);
	for (at = end; at > base && strchr(DIGITS, path[at - 1]) != NULL;)
		at--;
	*out = (struct slv_segment_name){
		.before = at,
		.digits = end - at,
		.number = strtoull(path + at, NULL, 10),
	};
	if (at == end || end - at > DIGITS_MOST || at < base + 2)
		return false;
	if (!by_record)
		return path[at - 1] == '_';
	return at > base + strlen(RECORD)
	    && memcmp(path + at - strlen(RECORD), RECORD, strlen(RECORD)) == 0;
}

static struct slv_moment
moment_of(json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	struct slv_moment m = { .known = false };
	struct tm tm = { 0 };
	unsigned nanos;

	if (text == NULL
	    || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%9uZ", &tm.tm_year,
	           &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec,
	           &nanos)
	        != 7)
		return m;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return (struct slv_moment){ timegm(&tm), nanos, true };
}

static int
by_name(const void *x, const void *y)
{
	const struct slv_set_channel *a = x, *b = y;

	return strcmp(a->name, b->name);
}

static void
free_channel(struct slv_set_channel *c)
{
	slv_free(c->name);
	slv_free(c->type);
}

static enum slv_status
add_channel(struct slv_set_file *f, json_t *o, struct slv_err *err)
{
	const char *name = json_string_value(json_object_get(o, "name"));
	const char *type = json_string_value(json_object_get(o, "type"));
	struct slv_set_channel *c;

	if (name == NULL)
		return SLV_OK;
	SLV_TRY(slv_grow(&f->channels, &f->cap_channels, f->n_channels + 1,
	    sizeof(*f->channels), err));
	c = &f->channels[f->n_channels++];
	*c = (struct slv_set_channel){
		.name = slv_strdup(name),
		.type = type != NULL ? slv_strdup(type) : NULL,
		.messages = (uint64_t)json_integer_value(
		    json_object_get(o, "messages")),
		.first = moment_of(o, "first"),
		.last = moment_of(o, "last"),
	};
	return c->name == NULL || (type != NULL && c->type == NULL)
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

/* Connections of a topic are one channel. */
static void
join_channels(struct slv_set_file *f)
{
	size_t kept = 0;

	slv_sort(f->channels, f->n_channels, sizeof(*f->channels), by_name);
	for (size_t i = 0; i < f->n_channels; i++) {
		struct slv_set_channel *c = &f->channels[i], *same;

		same = kept > 0 ? &f->channels[kept - 1] : NULL;
		if (same == NULL || strcmp(same->name, c->name) != 0) {
			f->channels[kept++] = *c;
			continue;
		}
		same->messages += c->messages;
		slv_moment_span(c->first, &same->first, &same->last);
		slv_moment_span(c->last, &same->first, &same->last);
		free_channel(c);
	}
	f->n_channels = kept;
}

static enum slv_status
read_report(struct slv_set_file *f, json_t *report, struct slv_err *err)
{
	const char *format =
	    json_string_value(json_object_get(report, "format"));
	const char *state = json_string_value(json_object_get(report, "state"));
	json_t *channels = json_object_get(report, "channels");
	json_t *time = json_object_get(report, "time");

	f->no_log = state != NULL
	    && strcmp(state, slv_state_name(SLV_STATE_UNRECOGNISED)) == 0;
	if (format == NULL || json_is_object(json_object_get(report, "error")))
		return SLV_OK;
	snprintf(f->format, sizeof(f->format), "%s", format);
	f->first = moment_of(time, "first");
	f->last = moment_of(time, "last");
	for (size_t i = 0; i < json_array_size(channels); i++)
		SLV_TRY(add_channel(f, json_array_get(channels, i), err));
	join_channels(f);
	return SLV_OK;
}

enum slv_status
slv_sets_add(struct slv_sets *s, const char *path, const char *report,
    struct slv_err *err)
{
	struct slv_segment_name name;
	struct slv_set_file *f;
	json_t *json;
	enum slv_status st;

	if (!slv_segment_name(path, &name))
		return SLV_OK;
	SLV_TRY(slv_grow(&s->at, &s->cap, s->n + 1, sizeof(*s->at), err));
	f = &s->at[s->n++];
	*f = (struct slv_set_file){ .path = slv_strdup(path), .name = name };
	json = json_loads(report, 0, NULL);
	st = f->path == NULL || json == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : read_report(f, json, err);
	json_decref(json);
	return st;
}

/* By the text before the number and after it. */
static int
by_set(const struct slv_set_file *a, const struct slv_set_file *b)
{
	size_t n =
	    a->name.before < b->name.before ? a->name.before : b->name.before;
	int order = memcmp(a->path, b->path, n);

	if (order != 0)
		return order;
	if (a->name.before != b->name.before)
		return a->name.before < b->name.before ? -1 : 1;
	return strcmp(
	    a->path + n + a->name.digits, b->path + n + b->name.digits);
}

static int
by_number(const void *x, const void *y)
{
	const struct slv_set_file *a = x, *b = y;
	int order = by_set(a, b);

	if (order != 0)
		return order;
	if (a->name.number != b->name.number)
		return a->name.number < b->name.number ? -1 : 1;
	return strcmp(a->path, b->path);
}

static const char *
format_of(const struct slv_set_file *f, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (f[i].format[0] != '\0')
			return f[i].format;
	}
	return NULL;
}

/* The names of its files, in order. */
static json_t *
files_of(const struct slv_set_file *f, size_t n)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < n; i++) {
		struct slv_object o = slv_object();

		slv_put(&o, "number", slv_json_number(f[i].name.number));
		slv_put_path(&o, "file", "file_base64", f[i].path);
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static void
tell(const struct slv_sets *s, size_t from, size_t n, struct slv_set_result *r)
{
	const struct slv_set_file *f = &s->at[from];
	struct slv_object o = slv_object_of_type("set");
	struct slv_buf name = { 0 }, text = { 0 }, lines = { 0 };
	json_t *findings = slv_seams_judge(s->rows, f, n, &lines);
	const char *format = format_of(f, n);
	char *safe, *body = slv_buf_take(&lines);

	slv_buf_printf(&name, "%.*s*%s", (int)f->name.before, f->path,
	    f->path + f->name.before + f->name.digits);
	r->name = slv_buf_take(&name);
	r->findings = json_array_size(findings);
	safe = r->name != NULL ? slv_escape(r->name) : NULL;
	slv_buf_printf(&text, "%s: a set of %zu segment%s, %s\n%s",
	    safe != NULL ? safe : "?", n, n == 1 ? "" : "s",
	    r->findings > 0 ? "DAMAGED" : "nothing is missing between them",
	    body != NULL ? body : "");
	r->text = slv_buf_take(&text);
	slv_put_path(&o, "set", "set_base64", r->name);
	slv_put(&o, "format", slv_json_text(format));
	slv_put(&o, "segments", slv_json_number(n));
	slv_put(&o, "first", slv_json_number(f[0].name.number));
	slv_put(&o, "last", slv_json_number(f[n - 1].name.number));
	slv_put(&o, "files", files_of(f, n));
	slv_put(&o, "state",
	    json_string(slv_state_name(
	        r->findings > 0 ? SLV_STATE_DAMAGED : SLV_STATE_INTACT)));
	slv_put(&o, "problems", findings);
	slv_put(&o, "problems_total", slv_json_number(r->findings));
	r->json = slv_object_dump(&o);
	slv_free(safe);
	slv_free(body);
}

/* The catalogue is long: it is searched once. */
static void
prepare(struct slv_sets *s)
{
	static const char *const ids[SLV_SET_ROWS] = {
		[SLV_SET_CHANNELS] = "set.channels",
		[SLV_SET_GAP] = "set.gap",
		[SLV_SET_MISSING] = "set.missing",
		[SLV_SET_OVERLAP] = "set.overlap",
	};
	const struct slv_problem_info *row;

	slv_sort(s->at, s->n, sizeof(*s->at), by_number);
	if (s->n == 0)
		return;
	for (size_t i = 0; (row = slv_problem_at(i)) != NULL; i++) {
		for (size_t k = 0; k < SLV_SET_ROWS; k++) {
			if (strcmp(row->id, ids[k]) == 0)
				s->rows[k] = row;
		}
	}
}

bool
slv_sets_next(struct slv_sets *s, size_t *from, struct slv_set_result *r)
{
	bool logs = false;

	*r = (struct slv_set_result){ .text = NULL };
	if (*from == 0)
		prepare(s);
	while (!logs && *from < s->n) {
		size_t begin = *from, end = begin;

		for (; end < s->n && by_set(&s->at[begin], &s->at[end]) == 0;
		     end++)
			logs |= !s->at[end].no_log;
		/* Names alone do not make a recording. */
		if (logs)
			tell(s, begin, end - begin, r);
		*from = end;
	}
	return logs;
}

void
slv_set_result_free(struct slv_set_result *r)
{
	slv_free(r->text);
	slv_free(r->json);
	slv_free(r->name);
	*r = (struct slv_set_result){ .text = NULL };
}

void
slv_sets_free(struct slv_sets *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->at[i].n_channels; k++)
			free_channel(&s->at[i].channels[k]);
		slv_free(s->at[i].channels);
		slv_free(s->at[i].path);
	}
	slv_free(s->at);
	*s = (struct slv_sets){ .n = 0 };
}
