/* reading.h - which bytes of the input, in which order, are the log?
 *
 * A reading is a view of the input (core/readings/view.h) and a scan of it.  The first is
 * of the input as it is.  Only where that leaves something out, readings are
 * tried that explain it by bytes that are in the wrong place; a table in
 * reading.c lists them in order, and one function says which of two is better.
 */
#ifndef SLV_JOB_READING_H
#define SLV_JOB_READING_H

#include "job/audit/audit.h"

/* Give the audit the best reading, scanned.  All payloads are read.
 *
 * At most 21 scans, of which one takes memory at a time, and what laying copies
 * of the log together and looking at other logs in the file takes. */
enum slv_status slv_reading_choose(
    struct slv_audit *, struct slv_audit_options *, struct slv_err *);

/* Say all that the audit has found of the input, and why it was not read as it
 * is. */
enum slv_status slv_reading_tell(struct slv_audit *, struct slv_err *);

/* What became of every byte of the input of a finished audit. */
const struct slv_catalog *slv_reading_catalog(const struct slv_audit *);

#endif
