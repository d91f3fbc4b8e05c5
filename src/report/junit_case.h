/* junit_case.h - an audited log as a JUnit test case.
 *
 * Names and sentences are first escaped as for a terminal, so that nothing is
 * left in them that XML cannot hold, and then for XML.
 */
#ifndef SLV_REPORT_JUNIT_CASE_H
#define SLV_REPORT_JUNIT_CASE_H

#include "base/buf.h"
#include "salvor_many.h"

/* The sums over test cases. */
struct slv_junit_counts {
	uint64_t tests, failures, errors;
	double seconds;
};

/* Append the case of a file.
 *
 *   report   from slv_report_json() or slv_error_json()
 *   seconds  duration; < 0: unknown
 *
 * false: it is not a report */
bool slv_junit_case(struct slv_buf *, struct slv_junit_counts *,
    const char *file, const char *report, double seconds);

/* Append a case that is not about a file: why the run was not completed. */
void slv_junit_stopped(
    struct slv_buf *, struct slv_junit_counts *, uint64_t done, uint64_t given);

/* The text before all cases, and after them. */
#define SLV_JUNIT_BEGIN                                                        \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "             \
	"name=\"salvor\""
void slv_junit_head(struct slv_buf *, const struct slv_junit_counts *);
void slv_junit_tail(struct slv_buf *);

#endif
