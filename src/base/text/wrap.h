/* wrap.h - break text into lines.
 *
 * A page is written before anybody knows how wide the terminal is: with lines
 * as long as they are, and marks that say how to break them.  slv_fold() then
 * breaks all of them.  Text from outside is escaped, so it holds no marks.
 */
#ifndef SLV_BASE_WRAP_H
#define SLV_BASE_WRAP_H

#include "base/buf.h"

#define SLV_HANG                                                               \
	"\v"           /* the line is continued in the column of this mark;
                        * without one two columns right of its beginning */
#define SLV_TIED  "\t" /* a blank at which no line is broken */
#define SLV_RIGHT "\f" /* the next word goes to the right edge */

/* Append the page with its lines broken at blanks.  A line is wider than
 * `width` columns only where it is a single word.  Blanks stay as they are, but
 * for those at which a line is broken and those at the end of a line; colours
 * (ESC [ ... m) take no columns. */
void slv_fold(struct slv_buf *, const char *page, unsigned width);

/* Append a paragraph, its words one blank apart, as lines of at most `width`
 * columns that are all indented alike and end with a newline.  A wider word has
 * a line of its own. */
void slv_wrap(
    struct slv_buf *, unsigned indent, unsigned width, const char *text);

#endif
