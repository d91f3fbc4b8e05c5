/* metrics.h - what a run found, as Prometheus reads it.
 *
 * The text is for the textfile collector of the node exporter: it is about the
 * last run, and says when that was, so that a rule can ask for its age.
 */
#ifndef SLV_BATCH_METRICS_H
#define SLV_BATCH_METRICS_H

#include "salvor_many.h"

#define SLV_METRICS_FORMATS 32 /* that are told apart */

/* { 0 } is empty. */
struct slv_metrics {
	struct slv_metrics_row {
		char format[16]; /* as in JSON; "": not recognised */
		struct slv_totals totals;
	} rows[SLV_METRICS_FORMATS];
	size_t n;
};

/* Add the report of a log, from slv_report_json() or slv_error_json().
 *
 * false: it is none */
bool slv_metrics_add(struct slv_metrics *, const char *json);

/* The text, owned by the caller; NULL: out of memory.
 *
 *   given  logs that were requested
 *   when   seconds since 1970 */
char *slv_metrics_text(
    const struct slv_metrics *, uint64_t given, int64_t when);

#endif
