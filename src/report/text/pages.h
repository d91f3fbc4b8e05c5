/* pages.h - the parts that slv_report_text() puts together.
 *
 * Each appends to a buffer; text from the log or from the command line is
 * escaped here and nowhere else.
 */
#ifndef SLV_REPORT_PAGES_H
#define SLV_REPORT_PAGES_H

#include "base/buf.h"
#include "report/report.h"
#include "report/text/words.h"

#define SLV_PAGE_OPEN_END "; where the recording ended cannot be known"

/* Append text, escaped; NULL as "-". */
void slv_page_escaped(struct slv_buf *, const char *text);

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

/* What is known about the bytes that were kept of a damaged log: a line. */
void slv_page_sureness(struct slv_buf *, const struct slv_report *);

/* The readings that were tried, where one is better than the file as it is: a
 * line each. */
void slv_page_attempts(struct slv_buf *, const struct slv_report *);

/* "at least " where nobody can tell how many blocks are lost, else "". */
const char *slv_page_at_least(const struct slv_report *);

/* "SHA-1" for "sha1". */
const char *slv_page_digest(const struct slv_report *);

/* How many other logs the file holds, behind the counts of the headline. */
void slv_page_others(struct slv_buf *, const struct slv_report *);

/* What a repair wrote or would write, below the findings. */
void slv_page_plan(struct slv_buf *, const struct slv_report *);

/* What was lost in all: a line, where there is something to say. */
void slv_page_lost(struct slv_buf *, const struct slv_report *);

/* What was lost when, of which channels.
 *
 *   all  every gap and channel, not just the worst */
void slv_page_gaps(struct slv_buf *, const struct slv_report *, bool all);

/* Where in the file it was, in one line. */
void slv_page_map(struct slv_buf *, const struct slv_report *);

/* What an earlier repair of a sound log has cost: nothing or some lines. */
void slv_page_history(struct slv_buf *, const struct slv_report *);

/* Whether the log keeps the rules that it was held against, and which it does
 * not: nothing or some lines. */
void slv_page_policy(struct slv_buf *, const struct slv_report *);

/* What is wrong, in a sentence without its end. */
void slv_page_violation(
    struct slv_buf *, const struct slv_report *, const struct slv_violation *);

/* Whether the file is what it was: nothing or some lines.
 *
 *   all  every range, not just the first */
void slv_page_baseline(struct slv_buf *, const struct slv_report *, bool all);

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
