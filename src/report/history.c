/* history.c - what earlier reports say about a log. */
#include "report/history.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "base/text/hex.h"
#include "base/json/json_bound.h"
#include "core/plan/plan.h"
#include "report/text/trim.h"

/* A line of a report next to a log. */
struct line {
	const char *at;
	size_t n;
	json_t *json; /* owned; NULL: not from salvor */
	bool lossy;
	bool open_end;
	const json_t *before; /* losses of earlier repairs; or NULL */
	struct slv_claim claim;
};

static const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool
says(const json_t *object, const char *key, const char *value)
{
	const char *text = text_of(object, key);

	return text != NULL && strcmp(text, value) == 0;
}

static uint64_t
count_of(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

static bool
read_claim(const json_t *json, struct slv_claim *claim)
{
	const json_t *output = json_object_get(json, "output");
	const json_t *size = json_object_get(output, "size");
	const char *sha1 = text_of(output, "sha1");

	*claim = (struct slv_claim){ 0 };
	if (!json_is_integer(size) || json_integer_value(size) < 0)
		return false;
	claim->size = (uint64_t)json_integer_value(size);
	claim->from = count_of(output, "sha1_from");
	if (!slv_plan_is_end(claim->from, claim->size))
		return false;
	return sha1 != NULL && strlen(sha1) == 2 * sizeof(claim->sha1)
	    && slv_hex_read(sha1, claim->sha1, sizeof(claim->sha1));
}

/* Return true if it is a count, or missing. */
static bool
is_count(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return value == NULL || json_is_null(value)
	    || (json_is_integer(value) && json_integer_value(value) >= 0);
}

/* Return true if the bytes of all fates add up to the input. */
static bool
bytes_add_up(const json_t *json)
{
	json_t *bytes = json_object_get(json, "bytes");
	const json_t *size = json_object_get(json, "size");
	uint64_t left = (uint64_t)json_integer_value(size);
	const char *fate;
	json_t *value;

	if (!json_is_object(bytes) || !json_is_integer(size)
	    || json_integer_value(size) < 0)
		return false;
	json_object_foreach(bytes, fate, value)
	{
		uint64_t n = (uint64_t)json_integer_value(value);

		if (!is_count(bytes, fate) || n > left)
			return false;
		left -= n;
	}
	return left == 0;
}

/* Return true if salvor can have written the line: otherwise it would be
 * reported wrongly. */
static bool
adds_up(const json_t *json)
{
	static const char *const lost[] = { "lost_bytes", "lost_blocks",
		"foreign_bytes", "unsure_blocks" };
	const json_t *before = json_object_get(json, "history");

	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++) {
		if (!is_count(before, lost[i]))
			return false;
	}
	return is_count(json_object_get(json, "blocks"), "lost")
	    && is_count(json_object_get(json, "blocks"), "unsure")
	    && bytes_add_up(json);
}

/* Take the next line from the text; false at its end. */
static bool
next_line(const char **text, size_t *left, struct line *line)
{
	const char *end;

	if (*left == 0)
		return false;
	end = memchr(*text, '\n', *left);
	*line = (struct line){ .at = *text };
	line->n = end != NULL ? (size_t)(end - *text) : *left;
	*left -= line->n + (end != NULL);
	*text += line->n + (end != NULL);
	if (slv_json_is_bounded(line->at, line->n))
		line->json =
		    json_loadb(line->at, line->n, JSON_REJECT_DUPLICATES, NULL);
	if (line->json == NULL || !says(line->json, "type", "file")
	    || !json_is_integer(json_object_get(line->json, "schema"))
	    || !read_claim(line->json, &line->claim) || !adds_up(line->json)) {
		json_decref(line->json);
		line->json = NULL;
		return true;
	}
	line->lossy = says(line->json, "state", "lossy");
	line->open_end =
	    json_is_object(json_object_get(line->json, "open_end"));
	line->before = json_object_get(line->json, "history");
	if (!json_is_object(line->before))
		line->before = NULL;
	return true;
}

bool
slv_history_is_ours(const char *text, size_t n)
{
	struct line line;

	while (next_line(&text, &n, &line)) {
		if (line.json == NULL)
			return false;
		json_decref(line.json);
	}
	return true;
}

/* Return true if the log's own digest would hide what the line says. */
static bool
matters(const struct line *line)
{
	return line->lossy || line->open_end || line->before != NULL;
}

static bool
is_about(const struct line *line, const struct slv_claim *claim)
{
	return line->json != NULL && line->claim.size == claim->size
	    && line->claim.from == claim->from
	    && memcmp(line->claim.sha1, claim->sha1, SLV_SHA1_SIZE) == 0;
}

bool
slv_history_mentions(const char *text, size_t n, uint64_t size, uint64_t *from)
{
	struct line line;
	bool found = false;

	while (!found && next_line(&text, &n, &line)) {
		found = matters(&line) && line.claim.size == size;
		*from = line.claim.from;
		json_decref(line.json);
	}
	return found;
}

bool
slv_history_knows(const char *text, size_t n, const struct slv_claim *claim)
{
	struct line line;
	bool found = false;

	while (!found && next_line(&text, &n, &line)) {
		found = matters(&line) && is_about(&line, claim);
		json_decref(line.json);
	}
	return found;
}

static bool
is_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static void
add(uint64_t *sum, uint64_t more)
{
	*sum = slv_add64(*sum, more);
}

/* Also what earlier repairs have lost. */
static void
add_before(struct slv_history *h, const json_t *before)
{
	if (before == NULL)
		return;
	h->lossy |= says(before, "state", "lossy");
	h->open_end |= is_true(before, "open_end");
	h->contradicted |= is_true(before, "contradicted");
	h->confirmed &= is_true(before, "confirmed");
	add(&h->lost_bytes, count_of(before, "lost_bytes"));
	add(&h->foreign_bytes, count_of(before, "foreign_bytes"));
	add(&h->lost_units, count_of(before, "lost_blocks"));
	add(&h->unsure_units, count_of(before, "unsure_blocks"));
	h->lost_exact = false;
}

static enum slv_status
remember(const struct line *line, struct slv_history *h, struct slv_err *err)
{
	const json_t *bytes = json_object_get(line->json, "bytes");
	const json_t *blocks = json_object_get(line->json, "blocks");
	struct slv_buf copy = { 0 };
	const char *file = text_of(line->json, "file");

	h->lossy = line->lossy;
	h->open_end = line->open_end;
	h->contradicted = is_true(line->json, "contradicted");
	h->confirmed = says(line->json, "assurance", "digest");
	h->lost_bytes = count_of(bytes, "lost");
	h->foreign_bytes = count_of(bytes, "foreign");
	h->lost_units = count_of(blocks, "lost");
	h->unsure_units = count_of(blocks, "unsure");
	h->lost_exact = is_true(blocks, "lost_exact");
	add_before(h, line->before);
	h->file = slv_strdup(file != NULL ? file : "?");
	slv_buf_add(&copy, line->at, line->n);
	h->line = slv_buf_take(&copy);
	if (h->file == NULL || h->line == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

enum slv_status
slv_history_find(const char *text, size_t n, const struct slv_claim *claim,
    struct slv_history *h, struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	struct line line;
	bool found = false;

	while (!found && next_line(&text, &n, &line)) {
		found = matters(&line) && is_about(&line, claim);
		if (found)
			st = remember(&line, h, err);
		json_decref(line.json);
	}
	return st;
}

enum slv_status
slv_history_of_other(
    const char *text, size_t n, struct slv_history *h, struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	struct line line;

	while (st == SLV_OK && h->line == NULL && next_line(&text, &n, &line)) {
		if (line.json != NULL && matters(&line))
			st = remember(&line, h, err);
		json_decref(line.json);
	}
	h->changed = h->line != NULL;
	return st;
}

static void
copy_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text != NULL ? text : "");
}

enum slv_status
slv_history_gaps(const struct slv_history *h, struct slv_history_gap **out,
    size_t *n, struct slv_err *err)
{
	json_t *report = h->line != NULL ? json_loads(h->line, 0, NULL) : NULL;
	const json_t *gaps = json_object_get(report, "gaps");
	struct slv_history_gap *to;

	*n = 0;
	if (slv_new(out, json_array_size(gaps), sizeof(**out), err) != SLV_OK) {
		json_decref(report);
		return err->code;
	}
	for (size_t i = 0; i < json_array_size(gaps); i++) {
		const json_t *gap = json_array_get(gaps, i);

		/* Its author is unknown. */
		if (!json_is_integer(json_object_get(gap, "offset")))
			continue;
		to = &(*out)[(*n)++];
		to->off = count_of(gap, "offset");
		to->bytes = count_of(gap, "lost");
		copy_text(
		    to->before, sizeof(to->before), text_of(gap, "before"));
		copy_text(to->after, sizeof(to->after), text_of(gap, "after"));
	}
	json_decref(report);
	return SLV_OK;
}

/* Append the line to those that stay. */
static void
keep(const struct line *line, struct slv_buf *out)
{
	slv_buf_add(out, line->at, line->n);
	slv_buf_text(out, "\n");
}

static void
keep_trimmed(const struct line *line, size_t most, struct slv_buf *out)
{
	struct slv_buf copy = { 0 };
	char *text;

	slv_buf_add(&copy, line->at, line->n);
	text = slv_report_trim(slv_buf_take(&copy), most);
	out->failed |= text == NULL;
	if (text != NULL)
		slv_buf_printf(out, "%s\n", text);
	slv_free(text);
}

void
slv_history_others(const char *text, size_t n, const struct slv_claim *claim,
    size_t most, struct slv_buf *out)
{
	struct line line;

	while (next_line(&text, &n, &line)) {
		if (!is_about(&line, claim) && line.n > most)
			keep_trimmed(&line, most, out);
		else if (!is_about(&line, claim))
			keep(&line, out);
		json_decref(line.json);
	}
}

void
slv_history_without(const char *text, size_t n, const struct slv_claim *claim,
    uint64_t from, struct slv_buf *out)
{
	struct line line;

	while (next_line(&text, &n, &line)) {
		if (!is_about(&line, claim)
		    || count_of(line.json, "size") != from)
			keep(&line, out);
		json_decref(line.json);
	}
}
