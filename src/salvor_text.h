/* salvor_text.h - reports and blocks as text and as JSON.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_TEXT_H
#define SALVOR_TEXT_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The content of slv_report_text(). */
enum slv_page {
	SLV_PAGE_BRIEF, /* the verdict, what is kept, what was found */
	SLV_PAGE_PLAN,  /* what a repair did, or would do with dry_run */
	SLV_PAGE_INFO,  /* what the log holds, for people */
};

/* Bits that change the form of slv_report_text(). */
enum {
	SLV_TEXT_COLOUR = 1 << 0,  /* for a terminal with colours */
	SLV_TEXT_VERBOSE = 1 << 1, /* everything: else at most eight lines of 80
	                            * columns, with the costliest findings */
};

/* A third part of these: the columns of the terminal, up to 1,000; without it
 * 80. */
#define SLV_TEXT_WIDTH(columns) ((unsigned)(columns) << 8)

/* The report as text for people, or as one line of JSON without a newline.
 * NULL: out of memory.
 *
 *   how  SLV_TEXT_* */
char *slv_report_text(const struct slv_report *, enum slv_page, unsigned how);
char *slv_report_json(const struct slv_report *);

/* A failure without a report, as one line of JSON without a newline.  file may
 * be NULL.  NULL: out of memory. */
char *slv_error_json(const char *file, const struct slv_err *);

/* A block as a line of a listing, or as one line of JSON; both without a
 * newline.  slv_block_text(NULL) returns the column headings. */
char *slv_block_text(const struct slv_block *);
char *slv_block_json(const struct slv_block *);

/* Escape control characters of text, so that a name from a log cannot control a
 * terminal.  NULL: out of memory. */
char *slv_escape(const char *text);

/* Digests for `sha256sum -c`: a line for the input and one for the output,
 * each with a newline, as far as they were computed (the option "hash") and
 * have a name.  NULL: out of memory. */
char *slv_report_sums(const struct slv_report *);

#ifdef __cplusplus
}
#endif

#endif
