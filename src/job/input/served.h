/* served.h - a source of bytes that a caller supplies. */
#ifndef SLV_JOB_SERVED_H
#define SLV_JOB_SERVED_H

#include "io/read/source.h"
#include "salvor.h"

/* The struct is copied, the name borrowed while the source lives.  Its close
 * function is called with the source, also after a failure.  ECANCELED of
 * read_at is SLV_E_CANCELLED. */
enum slv_status slv_served_source(const struct slv_input *, const char *name,
    struct slv_source **out, struct slv_err *);

#endif
