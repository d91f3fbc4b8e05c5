/* reading.h - which bytes of the input, in which order, are the log?
 *
 * A reading is a view of the input (core/readings/view.h) and a scan of it.
 * The first is of the input as it is.  Only if that leaves something out, other
 * readings are tried, which explain it by bytes in the wrong place.  A table in
 * reading.c lists them in order, and one function decides which of two is
 * better.
 */
#ifndef SLV_JOB_READING_H
#define SLV_JOB_READING_H

#include "job/audit/audit.h"

/* Give the audit the best reading, scanned.  All payloads are read.
 *
 * At most 21 scans, only one of which takes memory at a time, besides the work
 * of joining copies of the log and examining other logs in the file. */
enum slv_status slv_reading_choose(
    struct slv_audit *, struct slv_audit_options *, struct slv_err *);

/* Report everything that the audit has found about the input, and why it was
 * not read as it is. */
enum slv_status slv_reading_tell(struct slv_audit *, struct slv_err *);

/* The fate of every byte of the input of a finished audit. */
const struct slv_catalog *slv_reading_catalog(const struct slv_audit *);

#endif
