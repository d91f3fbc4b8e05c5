/* json_object.c - build a JSON object, key by key. */
#include "report/json/json_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/base64.h"
#include "base/text/hex.h"
#include "report/text/words.h"

#define DIGITS     12   /* of a number with a fraction */
#define RANGES_MAX 1000 /* of a list */

struct slv_object
slv_object(void)
{
	json_t *json = json_object();

	return (struct slv_object){ .json = json, .failed = json == NULL };
}

struct slv_object
slv_object_of_type(const char *type)
{
	struct slv_object o = slv_object();

	slv_put(&o, "type", json_string(type));
	slv_put(&o, "schema", slv_json_number(SLV_JSON_SCHEMA));
	return o;
}

void
slv_put(struct slv_object *o, const char *key, json_t *value)
{
	if (json_object_set_new(o->json, key, value) != 0)
		o->failed = true;
}

void
slv_put_path(
    struct slv_object *o, const char *key, const char *key64, const char *path)
{
	slv_put(o, key, slv_json_text(path));
	if (path != NULL && !slv_json_is_utf8(path))
		slv_put(o, key64, slv_json_base64(path));
}

char *
slv_get_path(const json_t *o, const char *key, const char *key64)
{
	const char *raw = json_string_value(json_object_get(o, key64));
	const char *path = json_string_value(json_object_get(o, key));
	struct slv_buf b = { 0 };
	bool good = true;

	if (raw != NULL)
		good = slv_base64_read(&b, raw);
	else if (path != NULL)
		slv_buf_text(&b, path);
	if (good && b.len > 0 && memchr(b.at, '\0', b.len) == NULL)
		return slv_buf_take(&b);
	slv_buf_free(&b);
	return NULL;
}

/* The seconds are text because doubles would lose digits. */
void
slv_put_moment(struct slv_object *o, const char *key, struct slv_moment m)
{
	char raw[32], text[48];

	if (slv_words_can_date(m)) {
		slv_put(o, key, json_string(slv_words_rfc3339(m).text));
		return;
	}
	slv_put(o, key, json_null());
	if (!m.known)
		return;
	snprintf(raw, sizeof(raw), "%s_seconds", key);
	snprintf(text, sizeof(text), "%lld", (long long)m.sec);
	slv_put(o, raw, json_string(text));
	snprintf(raw, sizeof(raw), "%s_nanos", key);
	slv_put(o, raw, slv_json_number(m.nanos));
}

json_t *
slv_object_done(struct slv_object *o)
{
	if (!o->failed)
		return o->json;
	json_decref(o->json);
	return NULL;
}

/* The one control character of ASCII that JSON does not escape. */
static char *
without_del(char *json)
{
	struct slv_buf out = { 0 };

	if (json == NULL || strchr(json, 0x7f) == NULL)
		return json;
	for (const char *at = json; *at != '\0';) {
		size_t n = strcspn(at, "\x7f");

		slv_buf_add(&out, at, n);
		at += n;
		if (*at != '\0') {
			slv_buf_text(&out, "\\u007F");
			at++;
		}
	}
	slv_free(json);
	return slv_buf_take(&out);
}

static int
add_piece(const char *piece, size_t n, void *out)
{
	slv_buf_add(out, piece, n);
	return 0;
}

/* Not by json_dumps(): its memory is not ours. */
static char *
dump(const json_t *json)
{
	struct slv_buf out = { 0 };
	int bad = json_dump_callback(json, add_piece, &out,
	    JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(DIGITS));

	out.failed |= bad != 0;
	return slv_buf_take(&out);
}

/* Write the members of the tree after those already written. */
static void
flush(struct slv_object *o)
{
	char *text = dump(o->json);
	size_t n = text != NULL ? strlen(text) : 0;

	o->failed |= text == NULL;
	if (o->text.len == 0)
		slv_buf_text(&o->text, "{");
	if (n > 2 && o->text.len > 1)
		slv_buf_text(&o->text, ",");
	if (n > 2)
		slv_buf_add(&o->text, text + 1, n - 2);
	slv_free(text);
	json_object_clear(o->json);
}

void
slv_rows_begin(struct slv_object *o, const char *key)
{
	flush(o);
	slv_buf_printf(&o->text, "%s\"%s\":[", o->text.len > 1 ? "," : "", key);
}

void
slv_rows_add(struct slv_object *o, struct slv_object *row)
{
	char *text = slv_object_dump(row);

	o->failed |= text == NULL;
	if (text != NULL && o->text.len > 0
	    && o->text.at[o->text.len - 1] != '[')
		slv_buf_text(&o->text, ",");
	if (text != NULL)
		slv_buf_text(&o->text, text);
	slv_free(text);
}

void
slv_rows_end(struct slv_object *o)
{
	slv_buf_text(&o->text, "]");
}

char *
slv_object_dump(struct slv_object *o)
{
	bool in_parts = o->text.len > 0;
	char *text = NULL;

	if (in_parts) {
		flush(o);
		slv_buf_text(&o->text, "}");
	}
	if (!o->failed && !o->text.failed)
		text = in_parts ? slv_buf_take(&o->text) : dump(o->json);
	slv_buf_free(&o->text);
	json_decref(o->json);
	return without_del(text);
}

void
slv_array_add(json_t *array, struct slv_object *o, bool *failed)
{
	if (json_array_append_new(array, slv_object_done(o)) != 0)
		*failed = true;
}

json_t *
slv_array_done(json_t *array, bool failed)
{
	if (!failed)
		return array;
	json_decref(array);
	return NULL;
}

json_t *
slv_json_number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

json_t *
slv_json_hex(const uint8_t *bytes, size_t n)
{
	char *text = slv_calloc(1, SLV_HEX(n));
	json_t *json;

	if (text == NULL)
		return NULL;
	slv_hex(text, bytes, n);
	json = json_string(text);
	slv_free(text);
	return json;
}

json_t *
slv_json_set(const struct slv_ranges *set)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < set->n && i < RANGES_MAX; i++) {
		const struct slv_range *at = &set->at[i];
		struct slv_object o = slv_object();

		slv_put(&o, "offset", slv_json_number(at->off));
		slv_put(&o, "length", slv_json_number(at->end - at->off));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}
