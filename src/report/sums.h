/* sums.h - digests as `sha256sum -c` reads them. */
#ifndef SLV_REPORT_SUMS_H
#define SLV_REPORT_SUMS_H

/* What slv_report_sums() gave of a report that has become JSON, owned by the
 * caller; NULL: it is none, or memory ran out. */
char *slv_sums_of_json(const char *report);

#endif
