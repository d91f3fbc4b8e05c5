/* junit_case.h - an audited log as a test case of JUnit's XML.
 *
 * Names and sentences are escaped first as for a terminal, so that nothing is
 * left in them that XML cannot hold, and then for XML.
 */
#ifndef SLV_REPORT_JUNIT_CASE_H
#define SLV_REPORT_JUNIT_CASE_H

#include "base/buf.h"

/* What test cases add up to. */
struct slv_junit_counts {
	uint64_t tests, failures, errors;
	double seconds;
};

/* Append the case of a file.
 *
 *   report   as slv_report_json() and slv_error_json() give it
 *   seconds  that it took; < 0: nobody knows
 *
 * false: it is no report */
bool slv_junit_case(struct slv_buf *, struct slv_junit_counts *,
    const char *file, const char *report, double seconds);

/* Append a case that is not about a file: why the run came to no end. */
void slv_junit_stopped(
    struct slv_buf *, struct slv_junit_counts *, uint64_t done, uint64_t given);

/* What stands before all cases, and behind them. */
#define SLV_JUNIT_BEGIN                                                        \
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "             \
	"name=\"salvor\""
void slv_junit_head(struct slv_buf *, const struct slv_junit_counts *);
void slv_junit_tail(struct slv_buf *);

#endif
