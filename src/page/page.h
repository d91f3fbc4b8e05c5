/* page.h - reports as one HTML file that somebody can look at.
 *
 * The page carries its script, its style and every report as text that is
 * inert: JSON in which no character can end the element that it stands in.
 * The script puts it on the page as text and never as markup, and a policy in
 * the page forbids everything else: no other script, nothing from elsewhere.
 *
 * Here only text is made of text.
 */
#ifndef SLV_PAGE_PAGE_H
#define SLV_PAGE_PAGE_H

#include "base/buf.h"

/* A page begins with this. */
#define SLV_HTML_BEGIN "<!doctype html>\n<!-- A report of salvor's."

struct slv_html_log;

/* What a page is made of: the reports, found in their texts. */
struct slv_html_logs {
	struct slv_html_log *at; /* owned */
	size_t n, cap;
	uint64_t unread; /* lines that are no JSON */
};

/* Take in JSON documents, one behind the other: what --json prints, or lines
 * of a journal, of which a later one takes the place of an earlier one about
 * the same path.  The text is borrowed while the logs live.  What is about no
 * log and no set of logs is passed over, and so is what is no JSON, up to the end of its line: it
 * counts as unread, but not at the very end, where a journal may be torn.
 *
 * SLV_E_NOMEM */
enum slv_status slv_html_find(
    struct slv_html_logs *, const char *text, size_t n, struct slv_err *);

void slv_html_logs_free(struct slv_html_logs *);

/* A page while it is made.  { 0 } is a new one. */
struct slv_html_page {
	struct slv_buf rows; /* owned; of the table of all logs, as JSON */
	struct slv_buf sets; /* owned; what is known of sets of them, too */
	uint64_t n;          /* logs so far */
};

/* Append what stands before all logs. */
void slv_html_head(struct slv_buf *);

/* Append log i. */
void slv_html_log(struct slv_buf *, struct slv_html_page *,
    const struct slv_html_logs *, size_t i);

/* Append what stands behind them. */
void slv_html_tail(struct slv_buf *, struct slv_html_page *);

#endif
