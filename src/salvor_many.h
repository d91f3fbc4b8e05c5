/* salvor_many.h - results of many reports: sums, lists, a page.
 *
 * For programs that do what the command line does with folders of logs; salvor.h does
 * not include it.  The conventions there apply.
 */
#ifndef SALVOR_MANY_H
#define SALVOR_MANY_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sums over many reports.  { 0 } is empty. */
struct slv_totals {
	uint64_t files;                   /* reports added */
	uint64_t states[SLV_STATES];      /* how many of each */
	uint64_t failures;                /* with a status other than SLV_OK */
	uint64_t size;                    /* bytes of all inputs */
	uint64_t bytes[SLV_BYTES];        /* as in the reports */
	uint64_t outputs, output_size;    /* written, or existing already */
	uint64_t unsure;                  /* kept records that may be wrong */
	uint64_t problems;                /* findings, listed or not */
	uint64_t policy_failed;           /* logs that break rules of the
					   * caller */
	uint64_t baseline[SLV_BASELINES]; /* how many of each verdict */
};

void slv_totals_add(struct slv_totals *, const struct slv_report *);

/* Add other sums. */
void slv_totals_join(struct slv_totals *, const struct slv_totals *);

/* As one line of JSON without a newline; NULL: out of memory.
 *
 *   given  files that were requested: more than were added if the work was
 *          stopped */
char *slv_totals_json(const struct slv_totals *, uint64_t given);

/* A file of lines that appears under its name complete, or not at all: a report
 * (JSON), a list of digests, a map, a page, a journal or a plan.  It replaces only a
 * file of the same kind; a device or FIFO is written directly. */
struct slv_lines;

enum slv_lines_kind {
	SLV_LINES_REPORT,
	SLV_LINES_SUMS,
	SLV_LINES_MAP,
	SLV_LINES_HTML,
	SLV_LINES_JOURNAL,
	SLV_LINES_JUNIT,
	SLV_LINES_PLAN,
	SLV_LINES_METRICS,
};

/* The path is borrowed until commit or discard.
 *
 *   cancel  not 0: stop waiting for the reader of a FIFO; NULL: wait for ever
 *
 * SLV_E_EXISTS: another kind of file is there.  SLV_E_USAGE: a directory or
 * a socket. */
enum slv_status slv_lines_open(const char *path, enum slv_lines_kind,
    const volatile sig_atomic_t *cancel, struct slv_lines **out,
    struct slv_err *);

enum slv_status slv_lines_add(
    struct slv_lines *, const char *text, struct slv_err *);

/* Publish what was added, or discard it; both free. */
enum slv_status slv_lines_commit(struct slv_lines *, struct slv_err *);
void slv_lines_discard(struct slv_lines *);

/* Replace a file that describes logs and is not one itself, or create it.  A
 * link of its name is not followed.  Where it goes and how follows from the
 * options, as for slv_repair(): next to it, to "output-dir", or in place with an
 * undo record, which there is none of if the file did not exist.
 *
 *   *output  what was written, or would be by "dry-run"; owned by the caller;
 *            NULL after a failure
 *
 * As slv_repair(). */
enum slv_status slv_rewrite(const char *file, const char *text, size_t len,
    const struct slv_options *, char **output, struct slv_err *);

/* Reports as one HTML file for a browser, with everything it needs inside.  It
 * appears under its name complete, or not at all, and replaces an earlier page
 * and nothing else. */
struct slv_html;

/* As slv_lines_open(). */
enum slv_status slv_html_open(const char *path,
    const volatile sig_atomic_t *cancel, struct slv_html **out,
    struct slv_err *);

/* Add the report in a JSON text from slv_report_json() or slv_error_json(), or
 * several; text that is not about a log is skipped. */
enum slv_status slv_html_add(
    struct slv_html *, const char *json, struct slv_err *);

/* Add all reports in a file of such texts, or in a journal, where the last line
 * about a path counts; "-" is standard input.
 *
 *   cancel   not 0: stop waiting for a pipe; NULL: wait for ever
 *   *n       number of reports
 *   *unread  lines that are not JSON, except one at the end of the file */
enum slv_status slv_html_read(struct slv_html *, const char *file,
    const volatile sig_atomic_t *cancel, uint64_t *n, uint64_t *unread,
    struct slv_err *);

/* Publish the page, or discard it; both free. */
enum slv_status slv_html_commit(struct slv_html *, struct slv_err *);
void slv_html_discard(struct slv_html *);

/* Audits as one JUnit XML file, for continuous integration: a test case for
 * each log, which fails if the log is damaged or breaks a rule, and is an error
 * if it could not be judged.  It appears under its name complete, or not at
 * all, and replaces an earlier one and nothing else. */
struct slv_junit;

/* As slv_lines_open(). */
enum slv_status slv_junit_open(const char *path,
    const volatile sig_atomic_t *cancel, struct slv_junit **out,
    struct slv_err *);

/* Add the report of a file, like slv_html_add().
 *
 *   seconds  duration of the audit; < 0: unknown */
enum slv_status slv_junit_add(struct slv_junit *, const char *file,
    const char *json, double seconds, struct slv_err *);

/* Publish the file, or discard it; both free.
 *
 *   given  files that were requested: if fewer were added an error says so */
enum slv_status slv_junit_commit(
    struct slv_junit *, uint64_t given, struct slv_err *);
void slv_junit_discard(struct slv_junit *);

#ifdef __cplusplus
}
#endif

#endif
