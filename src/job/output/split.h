/* split.h - whole logs of another recording, inside the input or after it. */
#ifndef SLV_JOB_SPLIT_H
#define SLV_JOB_SPLIT_H

#include "job/audit/audit.h"
#include "report/report.h"

/* Report the logs with a beginning of their own in what the audit calls
 * foreign: each up to the next one, or to the end of that range. */
enum slv_status slv_split_find(
    struct slv_report *, struct slv_audit *, struct slv_err *);

/* Return true if what the audit calls foreign begins with a whole log
 * somewhere, by a quick test. */
enum slv_status slv_split_likely(
    struct slv_audit *, bool *likely, struct slv_err *);

/* The name of such a log: next to the output, and like the input, with
 * ".foreign-OFFSET" before its extension.  One from standard input is named
 * like the output.  Owned by the caller; NULL: no memory.
 *
 *   suffix  the extension of another format; NULL: the input's */
char *slv_split_name(
    const char *file, const char *output, uint64_t off, const char *suffix);

#endif
