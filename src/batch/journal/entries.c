/* entries.c - what the lines of a journal say about each file. */
#include "batch/journal/entries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/json/json_bound.h"
#include "batch/find/lognames.h"
#include "batch/journal/tally.h"
#include "io/read/slurp.h"
#include "report/json/json_object.h"

/* Bytes of a line: the digests of each MiB of some terabytes. */
#define LINE_MOST ((uint64_t)64 << 20)

/* Bytes after which a longer line is searched for a hole. */
#define HOLE_LEAST ((uint64_t)1 << 20)

/* The rank of a byte of a path in the order of a batch, which lists the content
 * of a directory before names that only begin with its name. */
static unsigned
rank(char c)
{
	return c == '/' ? 1 : (unsigned char)c + (c != '\0');
}

static int
compare(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
		a++, b++;
	return (rank(*a) > rank(*b)) - (rank(*a) < rank(*b));
}

static const char *
text_of(json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static struct slv_stamp
stamp_in(json_t *o)
{
	return (struct slv_stamp){
		.size =
		    (uint64_t)json_integer_value(json_object_get(o, "size")),
		.mtime = json_integer_value(json_object_get(o, "mtime_ns")),
		.inode =
		    (uint64_t)json_integer_value(json_object_get(o, "inode")),
	};
}

static void
release(struct slv_entry *e)
{
	slv_free(e->path);
	slv_free(e->output);
	slv_free(e->sha256);
	slv_free(e->rules);
	slv_free(e->options);
}

/* The type of a line. */
enum line {
	LINE_OURS,
	LINE_EMPTY,
	LINE_TORN,
	LINE_GARBLED,
	LINE_FOREIGN,
};

/* The type of a line that is JSON. */
static enum line
judge_json(json_t *line, const struct slv_lines_of *l)
{
	const char *did = text_of(line, "command");

	if (json_integer_value(json_object_get(line, "journal")) != 1
	    || did == NULL)
		return LINE_GARBLED;
	if (*l->command == NULL)
		*l->command = slv_strdup(did);
	return *l->command != NULL && strcmp(did, *l->command) == 0
	    ? LINE_OURS
	    : LINE_FOREIGN;
}

/* Return true if the text begins as a line of a journal does. */
static bool
begins_so(const char *line, size_t n)
{
	static const char begin[] = "{\"journal\":";
	size_t most = sizeof(begin) - 1;

	return memcmp(line, begin, n < most ? n : most) == 0;
}

/* Parse a line.  A power failure may have left zeros at its end: what is not
 * JSON only because it ends too early was partially written. */
static enum line
judge(const char *text, size_t n, const struct slv_lines_of *l, json_t **line)
{
	bool ended = n > 0 && text[n - 1] == '\n', zeros = false;
	json_error_t why;

	*line = NULL;
	n -= ended;
	for (; n > 0 && text[n - 1] == '\0'; n--)
		zeros = true;
	if (n == 0)
		return zeros ? LINE_TORN : LINE_EMPTY;
	if (!slv_json_is_bounded(text, n))
		return LINE_GARBLED;
	*line = json_loadb(text, n, 0, &why);
	if (*line != NULL && ended && !zeros)
		return judge_json(*line, l);
	/* A line could follow a partially written one; other JSON must not be
	 * changed. */
	return begins_so(text, n)
	        && (*line != NULL || (size_t)why.position >= n)
	    ? LINE_TORN
	    : LINE_GARBLED;
}

/* Copy a text to *to, if there is one; false: no memory. */
static bool
copy(char **to, const char *text)
{
	*to = text != NULL ? slv_strdup(text) : NULL;
	return text == NULL || *to != NULL;
}

/* Copy the options to *to, or NULL if there are none; false: no memory. */
static bool
copy_options(char **to, json_t *line)
{
	json_t *told = json_object_get(line, "options");
	struct slv_buf b = { 0 };

	*to = NULL;
	if (!json_is_array(told))
		return true;
	for (size_t i = 0; i < json_array_size(told); i++) {
		const char *one = json_string_value(json_array_get(told, i));

		slv_buf_printf(&b, "%s\n", one != NULL ? one : "?");
	}
	*to = slv_buf_take(&b);
	return *to != NULL;
}

static enum slv_status
take_line(struct slv_entries *all, json_t *line, size_t file, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	json_t *output = json_object_get(line, "output");
	json_t *result = json_object_get(line, "result");
	json_t *digests = json_object_get(line, "digests");
	json_t *report = json_object_get(line, "report");
	json_t *since = json_object_get(line, "baseline");
	struct slv_entry *e;

	SLV_TRY(
	    slv_grow(&all->at, &all->cap, all->n + 1, sizeof(*all->at), err));
	e = &all->at[all->n];
	*e = (struct slv_entry){
		.path = slv_get_path(line, "path", "path_base64"),
		.named = json_is_true(json_object_get(line, "named")),
		.input = stamp_in(line),
		.stamp = stamp_in(output),
		.code =
		    (int)json_integer_value(json_object_get(result, "exit")),
		.when = json_integer_value(json_object_get(line, "when")),
		.digested = digests != NULL,
		.compared = since != NULL,
		.since = json_integer_value(since),
		.file = file,
		.off = off,
		.len = len,
	};
	/* The line names no file. */
	if (e->path == NULL)
		return SLV_OK;
	all->n++;
	if (json_is_object(digests))
		e->kept = (struct slv_kept){ true, e->input, e->when, file, off,
			len };
	e->told = slv_tally(report, &e->totals, &e->state);
	e->promised =
	    slv_lognames_promise(e->path, text_of(report, "looks_like"));
	return copy(&e->output, text_of(output, "path"))
	        && copy(&e->sha256, text_of(output, "sha256"))
	        && copy(&e->rules, text_of(line, "rules"))
	        && copy_options(&e->options, line)
	    ? SLV_OK
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

/* By path; in one journal the later line first. */
static int
by_line(const void *a, const void *b)
{
	const struct slv_entry *x = a, *y = b;
	int order = compare(x->path, y->path);

	return order != 0 ? order : (x->off < y->off) - (x->off > y->off);
}

/* By path; of several journals the later one first, but failed jobs after
 * completed ones. */
static int
by_time(const void *a, const void *b)
{
	const struct slv_entry *x = a, *y = b;
	int order = compare(x->path, y->path);

	if (order == 0)
		order = slv_entry_failed(x) - slv_entry_failed(y);
	if (order == 0)
		order = (x->when < y->when) - (x->when > y->when);
	return order != 0 ? order : (x->file < y->file) - (x->file > y->file);
}

/* Keep the first of each path among those from `from` on, with the digests of
 * the first that has any; the others go to `older`, or NULL. */
static enum slv_status
settle(struct slv_entries *all, size_t from, struct slv_entries *older,
    struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	size_t kept = from;

	for (size_t i = from; i < all->n; i++) {
		struct slv_entry *e = &all->at[i];

		if (kept == from
		    || strcmp(all->at[kept - 1].path, e->path) != 0) {
			all->at[kept++] = *e;
			continue;
		}
		if (!all->at[kept - 1].kept.there)
			all->at[kept - 1].kept = e->kept;
		if (older != NULL && st == SLV_OK)
			st = slv_grow(&older->at, &older->cap, older->n + 1,
			    sizeof(*older->at), err);
		if (older != NULL && st == SLV_OK)
			older->at[older->n++] = *e;
		else
			release(e);
	}
	all->n = kept;
	return st;
}

static enum slv_status
pass_over(struct slv_lines_of *l, uint64_t nth, enum slv_unread_why why,
    const char *command, struct slv_err *err)
{
	struct slv_unreads *all = l->unread;
	struct slv_unread *u;

	SLV_TRY(
	    slv_grow(&all->at, &all->cap, all->n + 1, sizeof(*all->at), err));
	u = &all->at[all->n++];
	*u = (struct slv_unread){ l->file, nth, why, NULL };
	return copy(&u->command, command)
	    ? SLV_OK
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

/* Line `nth`, at off. */
static enum slv_status
read_line(struct slv_entries *all, struct slv_lines_of *l, const char *text,
    size_t n, uint64_t off, uint64_t nth, struct slv_err *err)
{
	json_t *line;
	enum line is = judge(text, n, l, &line);
	size_t before = all->n;
	enum slv_status st = SLV_OK;

	l->n_ours += is == LINE_OURS;
	/* Zeros alone do not show that the file is a journal. */
	l->n_others += is == LINE_GARBLED || is == LINE_FOREIGN
	    || (is == LINE_TORN && text[0] == '\0');
	if (is == LINE_OURS) {
		st = take_line(all, line, l->file, off, (uint64_t)n, err);
		/* The line names no file. */
		if (st == SLV_OK && all->n == before)
			is = LINE_GARBLED;
	}
	if (is == LINE_TORN)
		st = pass_over(l, nth, SLV_UNREAD_TORN, NULL, err);
	else if (is == LINE_GARBLED)
		st = pass_over(l, nth, SLV_UNREAD_GARBLED, NULL, err);
	else if (is == LINE_FOREIGN)
		st = pass_over(
		    l, nth, SLV_UNREAD_FOREIGN, text_of(line, "command"), err);
	json_decref(line);
	return st;
}

static bool
is_cancelled(const struct slv_lines_of *l)
{
	return slv_is_cancelled(l->cancel);
}

/* Skip a hole of the file; returns its bytes, or 0. */
static uint64_t
skip_hole(FILE *in)
{
	off_t at = ftello(in), to;

	if (at < 0)
		return 0;
	to = slv_next_data(fileno(in), at);
	/* Stdio has read ahead of `at`, and is repositioned. */
	return fseeko(in, to, SEEK_SET) == 0 ? (uint64_t)(to - at) : 0;
}

/* Read the next line, up to the maximum length; false: there is none, or the
 * reading is cancelled.
 *
 *   *len      its bytes, its newline included
 *   l->torn   it has no newline */
static bool
next_line(FILE *in, struct slv_lines_of *l, struct slv_buf *line, uint64_t *len)
{
	uint8_t piece[4096];
	size_t n = 0;
	int c = 0;

	line->len = 0;
	*len = 0;
	while (c != '\n' && (c = getc_unlocked(in)) != EOF) {
		piece[n++] = (uint8_t)c;
		if (n < sizeof(piece) && c != '\n')
			continue;
		*len += n;
		if (*len <= LINE_MOST)
			slv_buf_add(line, piece, n);
		else if (*len % HOLE_LEAST == 0 && piece[0] == '\0')
			*len += skip_hole(in);
		n = 0;
		/* A hole has no newline for a long time. */
		if (is_cancelled(l))
			return false;
	}
	*len += n;
	slv_buf_add(line, piece, n);
	if (*len == 0)
		return false;
	l->torn = c != '\n';
	return true;
}

enum slv_status
slv_entries_read(struct slv_entries *all, FILE *in, struct slv_lines_of *l,
    struct slv_err *err)
{
	struct slv_buf line = { 0 };
	size_t from = all->n;
	uint64_t off = 0, nth = 0, n;
	enum slv_status st = SLV_OK;

	while (st == SLV_OK && next_line(in, l, &line, &n)) {
		const char *text = (const char *)line.at;

		nth++;
		if (line.failed) {
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		} else if (line.len < n) {
			/* No line of salvor is that long. */
			l->n_others++;
			st = pass_over(l, nth, SLV_UNREAD_GARBLED, NULL, err);
		} else {
			st = read_line(all, l, text, (size_t)n, off, nth, err);
		}
		off += n;
	}
	slv_buf_free(&line);
	if (st == SLV_OK && is_cancelled(l))
		return slv_fail(err, SLV_E_CANCELLED,
		    "%s: stopped while reading it", l->path);
	if (st == SLV_OK && ferror(in))
		return slv_fail_errno(err, "%s", l->path);
	if (st == SLV_OK && l->n_ours == 0 && l->n_others > 0)
		return slv_fail(err, SLV_E_EXISTS,
		    "%s: is not the journal of \"salvor%s%s\"; name another "
		    "file",
		    l->path, *l->command != NULL ? " " : "",
		    *l->command != NULL ? *l->command : "");
	if (st != SLV_OK)
		return st;
	slv_sort(all->at != NULL ? all->at + from : NULL, all->n - from,
	    sizeof(*all->at), by_line);
	return settle(all, from, NULL, err);
}

enum slv_status
slv_entries_join(
    struct slv_entries *all, struct slv_entries *older, struct slv_err *err)
{
	slv_sort(all->at, all->n, sizeof(*all->at), by_time);
	return settle(all, 0, older, err);
}

const struct slv_entry *
slv_entries_find(const struct slv_entries *all, const char *path)
{
	struct slv_search f = { 0, all->n, 0 };

	while (slv_search(&f))
		slv_search_on(&f, compare(all->at[f.mid].path, path) < 0);
	return f.low < all->n && strcmp(all->at[f.low].path, path) == 0
	    ? &all->at[f.low]
	    : NULL;
}

void
slv_entries_free(struct slv_entries *all)
{
	for (size_t i = 0; i < all->n; i++)
		release(&all->at[i]);
	slv_free(all->at);
	*all = (struct slv_entries){ 0 };
}

void
slv_unreads_free(struct slv_unreads *all)
{
	for (size_t i = 0; i < all->n; i++)
		slv_free(all->at[i].command);
	slv_free(all->at);
	*all = (struct slv_unreads){ 0 };
}
