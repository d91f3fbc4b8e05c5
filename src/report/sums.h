/* sums.h - digests as `sha256sum -c` reads them. */
#ifndef SLV_REPORT_SUMS_H
#define SLV_REPORT_SUMS_H

#include "base/buf.h"
/* Append the line of a file with this SHA-256; standard input and output have
 * none. */
void slv_sums_put(struct slv_buf *, const uint8_t *digest, const char *name);

/* What slv_report_sums() gave of a report that has become JSON, owned by the caller;
 * NULL: it is none, or memory ran out.  A worker has made the report: other files than
 * these have no line.
 *
 *   file    the path of the input
 *   output  that of the output as JSON has it; NULL: there is none */
char *slv_sums_of_json(
    const char *report, const char *file, const char *output);

#endif
