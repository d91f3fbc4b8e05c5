/* page.c - reports as one HTML file for a browser. */
#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/base64.h"
#include "base/json/json_bound.h"
#include "base/text/utf8.h"
#include "digest/digest.h"
#include "page/files.h"
#include "page/row.h"

#define LINE "{\"journal\":" /* the beginning of a journal line */

/* A report: its text, and its row. */
struct slv_html_log {
	const char *text; /* borrowed */
	size_t n;
	bool set;  /* it is about a set of logs, and has no row */
	bool all;  /* its row says all of it */
	char *row; /* owned; NULL: a later one replaced it */
};

/* The logs of one text, by path, while they are collected. */
struct finder {
	struct slv_html_logs *logs;
	json_t *paths;    /* owned; the index of the log for each */
	json_t *odd;      /* owned; the same for paths that are not UTF-8 */
	const char *line; /* end of the line that was checked last, or of the
			   * text; NULL: none */
};

/* Append one; takes it over. */
static enum slv_status
grow(struct slv_html_logs *all, const struct slv_html_log *log,
    struct slv_err *err)
{
	SLV_TRY(
	    slv_grow(&all->at, &all->cap, all->n + 1, sizeof(*all->at), err));
	all->at[all->n++] = *log;
	return SLV_OK;
}

/* The last log is about this path: it replaces an earlier one. */
static enum slv_status
supersede(struct slv_html_logs *all, json_t *paths, const char *path,
    struct slv_err *err)
{
	const json_t *known = json_object_get(paths, path);

	if (known != NULL) {
		struct slv_html_log *old = &all->at[json_integer_value(known)];

		slv_free(old->row);
		old->row = NULL;
	}
	if (json_object_set_new(
	        paths, path, json_integer((json_int_t)all->n - 1))
	    != 0)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

static enum slv_status
add(struct finder *f, const json_t *document, const char *text, size_t n,
    struct slv_err *err)
{
	struct slv_html_logs *all = f->logs;
	struct slv_html_log log = { .text = text, .n = n };
	const char *path = slv_row_path(document);
	const char *exact =
	    json_string_value(json_object_get(document, "path_base64"));
	struct slv_buf row = { 0 };

	log.set = slv_row_is_set(document);
	if (log.set)
		return grow(all, &log, err);
	if (slv_row_report(document) == NULL)
		return SLV_OK;
	log.all = slv_row_is_all(document);
	slv_row_put(&row, document);
	log.row = slv_buf_take(&row);
	if (log.row == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (grow(all, &log, err) != SLV_OK) {
		slv_free(log.row);
		return err->code;
	}
	if (path == NULL)
		return SLV_OK;
	return exact != NULL ? supersede(all, f->odd, exact, err)
	                     : supersede(all, f->paths, path, err);
}

/* NULL: there is none. */
static const char *
end_of_line(struct finder *f, const char *text, size_t n, size_t at)
{
	/* Many places of a line may be checked. */
	if (f->line == NULL || f->line < text + at) {
		f->line = memchr(text + at, '\n', n - at);
		if (f->line == NULL)
			f->line = text + n;
	}
	return f->line < text + n ? f->line : NULL;
}

/* The document that begins at *at, which then moves past it; what is not JSON
 * is skipped up to the end of its line. */
static enum slv_status
step(struct finder *f, const char *text, size_t n, size_t *at,
    struct slv_err *err)
{
	json_error_t how = { .line = 0 };
	json_t *document = NULL;
	const char *end;
	enum slv_status st;
	size_t next;

	if (slv_json_is_bounded(text + *at, n - *at))
		document = json_loadb(
		    text + *at, n - *at, JSON_DISABLE_EOF_CHECK, &how);
	if (document != NULL) {
		st = add(f, document, text + *at, (size_t)how.position, err);
		*at += (size_t)how.position;
		json_decref(document);
		return st;
	}
	if (json_error_code(&how) == json_error_out_of_memory)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	end = end_of_line(f, text, n, *at);
	f->logs->unread += end != NULL;
	next = end != NULL ? (size_t)(end - text) + 1 : n;
	/* After a partial line the next one may follow without a newline. */
	end = memmem(text + *at + 1, next - *at - 1, LINE, sizeof(LINE) - 1);
	*at = end != NULL ? (size_t)(end - text) : next;
	return SLV_OK;
}

enum slv_status
slv_html_find(
    struct slv_html_logs *logs, const char *text, size_t n, struct slv_err *err)
{
	struct finder f = { logs, json_object(), json_object(), NULL };
	enum slv_status st = SLV_OK;
	size_t at = 0;

	if (f.paths == NULL || f.odd == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (st == SLV_OK && at < n) {
		if (memchr(" \t\r\n", text[at], 4) != NULL)
			at++;
		else
			st = step(&f, text, n, &at, err);
	}
	json_decref(f.paths);
	json_decref(f.odd);
	return st;
}

void
slv_html_logs_free(struct slv_html_logs *logs)
{
	for (size_t i = 0; i < logs->n; i++)
		slv_free(logs->at[i].row);
	slv_free(logs->at);
	*logs = (struct slv_html_logs){ 0 };
}

/* Append "sha256-...", which names a script or a style in a policy. */
static void
put_digest(struct slv_buf *out, const char *text)
{
	struct slv_digest d;
	uint8_t bytes[SLV_SHA256_SIZE];

	slv_digest_init(&d, SLV_SHA256);
	slv_digest_add(&d, text, strlen(text));
	slv_digest_get(&d, bytes);
	slv_buf_text(out, "'sha256-");
	slv_base64(out, bytes, sizeof(bytes));
	slv_buf_text(out, "'");
}

/* What an HTML parser could take for more than text, what controls a terminal,
 * and what some programs take for the end of a line or a change of
 * direction. */
static bool
is_active(uint32_t code)
{
	return code == '<' || code == '>' || code == '&'
	    || (code >= 0x7f && code <= 0x9f)
	    || (code >= 0x2028 && code <= 0x202e)
	    || (code >= 0x2066 && code <= 0x2069);
}

/* Append valid JSON, in which such characters are in strings only. */
static void
put_inert(struct slv_buf *out, const char *text, size_t n)
{
	/* The first byte of an active character. */
	static const bool special[256] = {
		['<'] = true,
		['>'] = true,
		['&'] = true,
		[0x7f] = true,
		[0xc2] = true,
		[0xe2] = true,
	};

	while (n > 0) {
		size_t some = 0, len;
		uint32_t code = 0;

		while (some < n && !special[(uint8_t)text[some]])
			some++;
		slv_buf_add(out, text, some);
		text += some;
		n -= some;
		if (n == 0)
			return;
		len = slv_utf8_next((const uint8_t *)text, n, &code);
		if (len > 0 && is_active(code))
			slv_buf_printf(out, "\\u%04x", (unsigned)code);
		else
			slv_buf_add(out, text, len += len == 0);
		text += len;
		n -= len;
	}
}

void
slv_html_head(struct slv_buf *out)
{
	slv_buf_text(out,
	    SLV_HTML_BEGIN
	    " -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" "
	    "content=\"default-src 'none'; script-src ");
	put_digest(out, slv_html_script);
	slv_buf_text(out, "; style-src ");
	put_digest(out, slv_html_style);
	slv_buf_text(out,
	    "; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<title>salvor</title>\n<style>");
	slv_buf_text(out, slv_html_style);
	slv_buf_text(out, "</style>\n</head>\n");
	slv_buf_text(out, slv_html_body);
}

/* Append to a future JSON list. */
static void
put_member(struct slv_buf *list, const char *text, size_t n)
{
	slv_buf_text(list, list->len > 0 ? ",\n" : "");
	put_inert(list, text, n);
}

void
slv_html_log(struct slv_buf *out, struct slv_html_page *page,
    const struct slv_html_logs *logs, size_t i)
{
	const struct slv_html_log *log = &logs->at[i];

	if (log->set)
		put_member(&page->sets, log->text, log->n);
	if (log->row == NULL)
		return;
	if (page->n < SLV_HTML_WHOLE || !log->all) {
		slv_buf_printf(out,
		    "<script type=\"application/json\" id=\"log-%llu\">",
		    (unsigned long long)page->n);
		put_inert(out, log->text, log->n);
		slv_buf_text(out, "</script>\n");
	}
	put_member(&page->rows, log->row, strlen(log->row));
	page->n++;
}

/* Append what was collected, and free it. */
static void
put_members(struct slv_buf *out, struct slv_buf *list)
{
	slv_buf_add(out, list->at, list->len);
	out->failed |= list->failed;
	slv_buf_free(list);
}

void
slv_html_tail(struct slv_buf *out, struct slv_html_page *page)
{
	slv_buf_printf(out,
	    "<script type=\"application/json\" id=\"logs\">"
	    "{\"salvor\":\"%s\",\"rows\":[",
	    slv_version());
	put_members(out, &page->rows);
	slv_buf_text(out, "],\"sets\":[");
	put_members(out, &page->sets);
	slv_buf_text(out, "]}</script>\n<script type=\"module\">");
	slv_buf_text(out, slv_html_script);
	slv_buf_text(out, "</script>\n</body>\n</html>\n");
}
