/* lines_part.h - add a whole buffer to a file of lines. */
#ifndef SLV_JOB_LINES_PART_H
#define SLV_JOB_LINES_PART_H

#include "base/buf.h"
#include "salvor_many.h"

/* Add the content of a buffer, and free it.  SLV_E_NOMEM: also if the buffer is
 * incomplete; otherwise as slv_lines_add(). */
enum slv_status slv_lines_part(
    struct slv_lines *, struct slv_buf *part, struct slv_err *);

#endif
