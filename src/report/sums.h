/* sums.h - digests as `sha256sum -c` reads them. */
#ifndef SLV_REPORT_SUMS_H
#define SLV_REPORT_SUMS_H

#include "base/buf.h"
/* Append the line of a file with this SHA-256; standard input and output have
 * no line. */
void slv_sums_put(struct slv_buf *, const uint8_t *digest, const char *name);

/* The lines of slv_report_sums() for a report that is JSON already, owned by
 * the caller; NULL: it is not a report, or memory ran out.  A worker has made
 * the report: only these files may have a line.
 *
 *   file    the path of the input
 *   output  the path of the output as in JSON; NULL: there is none */
char *slv_sums_of_json(
    const char *report, const char *file, const char *output);

#endif
