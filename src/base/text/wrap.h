/* wrap.h - break a paragraph into lines. */
#ifndef SLV_BASE_WRAP_H
#define SLV_BASE_WRAP_H

#include "base/buf.h"

/* Append text, with words separated by blanks, as lines of at most `width`
 * columns, each indented by `indent` and ended by a newline.  A wider word has
 * a line of its own. */
void slv_wrap(
    struct slv_buf *, unsigned indent, unsigned width, const char *text);

#endif
