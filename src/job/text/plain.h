/* plain.h - values that all text formats write alike. */
#ifndef SLV_JOB_TEXT_PLAIN_H
#define SLV_JOB_TEXT_PLAIN_H

#include "base/buf.h"
#include "core/layout/layout.h"

/* Append a number, true or false.  false: it is text, bytes, or a number that is not
 * finite, and nothing was appended. */
bool slv_put_plain(struct slv_buf *, const struct slv_value *);

#endif
