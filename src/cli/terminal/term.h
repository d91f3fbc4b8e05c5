/* term.h - everything that is printed goes through here.
 *
 * Text from outside (file names, option values) is escaped before it is
 * shown.
 */
#ifndef SLV_CLI_TERM_H
#define SLV_CLI_TERM_H

#include <stdio.h>

#include "base/status.h"

/* Make sure that descriptors 0 to 2 are taken, so that no opened file gets the
 * number of a standard stream. */
void slv_term_open(void);

/* Whether people who read this stream are to see colours: it is a terminal
 * that knows them, and the environment does not object (NO_COLOR). */
bool slv_term_has_colour(FILE *);

/* How many columns wide text for this stream is: as many as COLUMNS or the
 * terminal says, else 80. */
unsigned slv_term_width(FILE *);

/* Whether standard error is a terminal on which a line can be redrawn. */
bool slv_term_can_redraw(void);

/* Show a line on standard error in place of the one shown before.  It has no
 * newline and no control characters; whatever is printed next clears it, and
 * where it is too long the terminal cuts it. */
void slv_term_redraw(const char *line);

/* Where the reader of standard output has gone, the run is over: see
 * cli/signals.h.  Nothing is printed from then on.
 *
 * Write out what it holds; false: that failed.  Only look. */
bool slv_term_flush(void);
void slv_term_look(void);

/* Print a line; frees text.  NULL counts as out of memory.
 *
 * false: there was no text, or it could not be written; what went wrong on
 * standard output is said by slv_term_close() */
bool slv_term_line(FILE *, char *text);

/* The same without adding a newline. */
bool slv_term_page(FILE *, char *text);

/* "salvor: ..." on standard error; the whole message is escaped. */
void slv_term_error(const char *fmt, ...) SLV_PRINTF(1, 2);

/* Write out what standard output holds; false and a message when that
 * fails. */
bool slv_term_close(void);

#endif
