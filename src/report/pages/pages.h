/* pages.h - the parts that slv_report_text() puts together.
 *
 * Each appends lines to a buffer, as long as they are and with the marks of
 * base/text/wrap.h; slv_report_text() breaks them.  Text from the log or from
 * the command line is escaped here and nowhere else.
 */
#ifndef SLV_REPORT_PAGES_H
#define SLV_REPORT_PAGES_H

#include "base/buf.h"
#include "report/report.h"
#include "report/text/words.h"

/* How it is to look. */
struct slv_style {
	bool colour;
	bool all;       /* everything: else what fits into a few lines */
	bool tight;     /* without what makes those lines too many */
	unsigned width; /* columns */
};

#define SLV_PAGE_RED    "\033[1;31m"
#define SLV_PAGE_GREEN  "\033[32m"
#define SLV_PAGE_YELLOW "\033[1;33m"
#define SLV_PAGE_PLAIN  "\033[0m"

/* Change the colour, where there are colours. */
void slv_page_colour(
    struct slv_buf *, const struct slv_style *, const char *colour);

/* Append text, escaped; NULL as "-". */
void slv_page_escaped(struct slv_buf *, const char *text);

/* Append sentences as a line whose continuations are indented as it is. */
void slv_page_paragraph(struct slv_buf *, unsigned indent, const char *text);

/* How many lines a part of the page will be; where that is unknown for want of
 * memory, out->failed is set. */
unsigned slv_page_lines(
    struct slv_buf *out, const struct slv_buf *part, const struct slv_style *);

/* How much of the recording there is: the second line. */
void slv_page_kept(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* The logs that were joined: those that are damaged, or all with their findings. */
void slv_page_segments(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* Every finding, in the order of the file, each kind explained once. */
void slv_page_findings(struct slv_buf *, const struct slv_report *);

/* The costliest findings, as many as `room` lines hold and at least one, and
 * how many there are besides. */
void slv_page_costliest(struct slv_buf *, const struct slv_report *,
    const struct slv_style *, unsigned room);

/* "2026-03-01 09:12:04.123 UTC"; where the date is unknown "4.123 s after the
 * start". */
struct slv_words slv_page_moment(const struct slv_report *, struct slv_moment);

/* The same of a span, as slv_words_span(). */
struct slv_words slv_page_span(
    const struct slv_report *, struct slv_moment first, struct slv_moment last);

/* What a unit of such a log is called: "block". */
const char *slv_page_unit(const struct slv_report *);

/* "350,120 blocks", "1 message" */
struct slv_words slv_page_units(const struct slv_report *, uint64_t n);

/* The verdict in a few words: "DAMAGED, repairable". */
struct slv_words slv_page_verdict(const struct slv_report *);

/* Whether nothing was found wrong, as far as it was read. */
bool slv_page_is_sound(const struct slv_report *);

/* What confirms a sound log, or why nothing does: a clause. */
void slv_page_assurance(struct slv_buf *, const struct slv_report *);

/* What proves the bytes that are kept of a damaged log: a line. */
void slv_page_proof(struct slv_buf *, const struct slv_report *);

/* The readings that were tried, where one is better than the file as it is: a
 * line each. */
void slv_page_attempts(struct slv_buf *, const struct slv_report *);

/* "at least " if it is unknown how many blocks are lost, else "". */
const char *slv_page_at_least(const struct slv_report *);

/* "SHA-1" for "sha1". */
const char *slv_page_digest(const struct slv_report *);

/* What a repair wrote or would write, below the findings. */
void slv_page_plan(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* What was written in another format, below the findings. */
void slv_page_export(struct slv_buf *, const struct slv_report *);

/* "wrote" or the like. */
const char *slv_page_outcome(enum slv_outcome);

/* Append where the report next to the output is, if there is one. */
void slv_page_sidecar(struct slv_buf *, const struct slv_report *);

/* Append the name of the output. */
void slv_page_output(struct slv_buf *, const struct slv_report *);

/* What was lost in all: a line, where there is something to say. */
void slv_page_lost(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* What was lost when, of which channels. */
void slv_page_gaps(struct slv_buf *, const struct slv_report *);

/* Where in the file it was, in one line. */
void slv_page_map(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* What an earlier repair of a sound log has cost: nothing or some lines. */
void slv_page_history(struct slv_buf *, const struct slv_report *);

/* Whether the log keeps the rules that it was held against, and which it does
 * not: nothing or some lines. */
void slv_page_policy(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* What is wrong, in a sentence without its end. */
void slv_page_violation(
    struct slv_buf *, const struct slv_report *, const struct slv_violation *);

/* Whether the file is what it was: nothing or some lines. */
void slv_page_baseline(
    struct slv_buf *, const struct slv_report *, const struct slv_style *);

/* The same, where it is not, in a sentence without its end; and the row of the
 * catalogue for it, NULL: there is nothing to say. */
void slv_page_against(struct slv_buf *, const struct slv_report *);
const struct slv_problem_info *slv_page_baseline_row(const struct slv_report *);

/* What another tool left beside the log and may hold more: nothing or a
 * clause. */
void slv_page_backup(struct slv_buf *, const struct slv_report *);

/* What became of a repair in place that was to be undone. */
void slv_page_undo(struct slv_buf *, const struct slv_report *);

/* What the log holds. */
void slv_page_info(struct slv_buf *, const struct slv_report *);

#endif
