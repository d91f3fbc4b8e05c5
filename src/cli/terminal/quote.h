/* quote.h - words for a command line that somebody may paste into a shell. */
#ifndef SLV_CLI_QUOTE_H
#define SLV_CLI_QUOTE_H

#include "base/buf.h"

/* Append a file name as one word of a shell: bare where it can be, in single
 * quotes, or as $'...' with octal codes where it holds what must not reach a
 * terminal.  One that begins with a dash becomes "./-...". */
void slv_quote(struct slv_buf *, const char *name);

/* The same of any word, which stays an option where it is one. */
void slv_quote_word(struct slv_buf *, const char *word);

#endif
