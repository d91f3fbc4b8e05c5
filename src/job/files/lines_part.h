/* lines_part.h - what is written of a file of lines as a whole. */
#ifndef SLV_JOB_LINES_PART_H
#define SLV_JOB_LINES_PART_H

#include "base/buf.h"
#include "salvor_many.h"

/* Add what a buffer holds, and free it.  SLV_E_NOMEM: also where it is not
 * whole; otherwise as slv_lines_add(). */
enum slv_status slv_lines_part(
    struct slv_lines *, struct slv_buf *part, struct slv_err *);

#endif
