/* page.h - reports as one HTML file for a browser.
 *
 * The page carries its script, its style and every report as inert text: JSON
 * in which no character can end the element around it.  The script shows it as
 * text and never as markup, and a policy in the page forbids everything else:
 * no other script, nothing from elsewhere.
 *
 * This code only makes text from text.
 */
#ifndef SLV_PAGE_PAGE_H
#define SLV_PAGE_PAGE_H

#include "base/buf.h"
#include "salvor_many.h"

/* The first bytes of a page. */
#define SLV_HTML_BEGIN "<!doctype html>\n<!-- A report of salvor's."

/* So many logs have their whole reports in a page.  Of those that follow, sound ones
 * have only their rows, so that a page of an archive can be opened and sent. */
#define SLV_HTML_WHOLE 500

struct slv_html_log;

/* The reports of a page, found in texts. */
struct slv_html_logs {
	struct slv_html_log *at; /* owned */
	size_t n, cap;
	uint64_t unread; /* lines that are not JSON */
};

/* Add JSON documents, one after another: output of --json, or lines of a
 * journal, of which a later one replaces an earlier one about the same path.
 * The text is borrowed while the logs live.  A document that is not about a log
 * or a set of logs is skipped.  Text that is not JSON is skipped up to the end
 * of its line and counts as unread, except at the very end, where a journal may
 * be cut.
 *
 * SLV_E_NOMEM */
enum slv_status slv_html_find(
    struct slv_html_logs *, const char *text, size_t n, struct slv_err *);

void slv_html_logs_free(struct slv_html_logs *);

/* A page in progress.  { 0 } is a new one. */
struct slv_html_page {
	struct slv_buf rows; /* owned; rows of the table of all logs, as JSON */
	struct slv_buf sets; /* owned; results about sets of logs */
	uint64_t n;          /* logs so far */
};

/* Append what precedes all logs. */
void slv_html_head(struct slv_buf *);

/* Append log i, perhaps only as a row. */
void slv_html_log(struct slv_buf *, struct slv_html_page *,
    const struct slv_html_logs *, size_t i);

/* Append what follows them. */
void slv_html_tail(struct slv_buf *, struct slv_html_page *);

#endif
