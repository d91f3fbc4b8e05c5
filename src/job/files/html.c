/* html.c - reports as one HTML file, written as they arrive. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/read/slurp.h"
#include "job/files/lines_part.h"
#include "page/page.h"
#include "salvor_many.h"

struct slv_html {
	struct slv_lines *lines;   /* owned */
	struct slv_html_page page; /* owned */
};

enum slv_status
slv_html_open(const char *path, const volatile sig_atomic_t *cancel,
    struct slv_html **out, struct slv_err *err)
{
	struct slv_html *h = slv_calloc(1, sizeof(*h));
	struct slv_buf head = { 0 };

	if (h == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_lines_open(path, SLV_LINES_HTML, cancel, &h->lines, err)
	    != SLV_OK) {
		slv_free(h);
		return err->code;
	}
	slv_html_head(&head);
	if (slv_lines_part(h->lines, &head, err) != SLV_OK) {
		slv_html_discard(h);
		return err->code;
	}
	*out = h;
	return SLV_OK;
}

/* Add all reports of a text. */
static enum slv_status
add(struct slv_html *h, const char *text, size_t n, uint64_t *found,
    uint64_t *unread, struct slv_err *err)
{
	struct slv_html_logs logs = { 0 };
	enum slv_status st = slv_html_find(&logs, text, n, err);
	uint64_t before = h->page.n;

	for (size_t i = 0; i < logs.n && st == SLV_OK; i++) {
		struct slv_buf log = { 0 };

		slv_html_log(&log, &h->page, &logs, i);
		st = slv_lines_part(h->lines, &log, err);
	}
	*found = h->page.n - before;
	*unread = logs.unread;
	slv_html_logs_free(&logs);
	return st;
}

enum slv_status
slv_html_add(struct slv_html *h, const char *json, struct slv_err *err)
{
	uint64_t found, unread;

	return add(h, json, strlen(json), &found, &unread, err);
}

enum slv_status
slv_html_read(struct slv_html *h, const char *file,
    const volatile sig_atomic_t *cancel, uint64_t *n, uint64_t *unread,
    struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a report or a journal",
		.cancel = cancel,
	};
	struct slv_buf text = { 0 };
	enum slv_status st;

	*n = *unread = 0;
	st = slv_slurp_path(file, &how, &text, err);
	if (st == SLV_OK)
		st = add(h, (const char *)text.at, text.len, n, unread, err);
	slv_buf_free(&text);
	return st;
}

enum slv_status
slv_html_commit(struct slv_html *h, struct slv_err *err)
{
	struct slv_buf tail = { 0 };
	struct slv_lines *lines;

	slv_html_tail(&tail, &h->page);
	if (slv_lines_part(h->lines, &tail, err) != SLV_OK) {
		slv_html_discard(h);
		return err->code;
	}
	lines = h->lines;
	slv_free(h);
	return slv_lines_commit(lines, err);
}

void
slv_html_discard(struct slv_html *h)
{
	slv_lines_discard(h->lines);
	slv_buf_free(&h->page.rows);
	slv_buf_free(&h->page.sets);
	slv_free(h);
}
