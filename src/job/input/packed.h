/* packed.h - a log that was compressed as a whole.
 *
 * It is decompressed before it is read, into memory or a temporary, like
 * standard input.
 */
#ifndef SLV_JOB_PACKED_H
#define SLV_JOB_PACKED_H

#include "io/read/source.h"
#include "io/read/spool.h"

/* Replace a source by its content, which owns it.  Nothing happens if it is not
 * compressed.
 *
 *   *packed   it was compressed
 *   *spooled  a temporary was needed
 *
 * On failure the source is still the caller's. */
enum slv_status slv_packed_open(struct slv_source **, const struct slv_spool *,
    bool *packed, bool *spooled, struct slv_err *);

/* The file that such a source was decompressed from; any other source itself. */
struct slv_source *slv_packed_file(struct slv_source *);

#endif
