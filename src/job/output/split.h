/* split.h - whole logs of another recording, amid the input or behind it. */
#ifndef SLV_JOB_SPLIT_H
#define SLV_JOB_SPLIT_H

#include "job/audit/audit.h"
#include "report/report.h"

/* Put down in the report the logs with a beginning of their own in what the
 * audit calls foreign: each up to the next one, or to where that ends. */
enum slv_status slv_split_find(
    struct slv_report *, struct slv_audit *, struct slv_err *);

/* Whether what the audit calls foreign begins with a whole log somewhere, as
 * far as that is seen at a glance. */
enum slv_status slv_split_likely(
    struct slv_audit *, bool *likely, struct slv_err *);

/* What such a log is called: beside the output, and as the input, with
 * ".foreign-OFFSET" before its extension; one from standard input is called
 * as the output.  Owned by the caller; NULL: no memory.
 *
 *   suffix  of another format: the extension; NULL: the input's */
char *slv_split_name(
    const char *file, const char *output, uint64_t off, const char *suffix);

#endif
