/* records.h - where JSON objects go: --json, --report, --sums, --html,
 * --junit, --metrics. */
#ifndef SLV_CLI_RECORDS_H
#define SLV_CLI_RECORDS_H

#include "batch/find/sets.h"
#include "batch/metrics/metrics.h"
#include "cli/exitcode.h"
#include "cli/options/opts.h"
#include "salvor_many.h"

struct slv_told;

struct slv_run_files {
	const struct slv_args *args;
	struct slv_lines *report, *sums; /* owned; NULL: not requested */
	struct slv_lines *metrics;       /* owned; the same */
	struct slv_metrics counts;       /* what goes there */
	struct slv_html *html;           /* owned; the same */
	struct slv_junit *junit;         /* owned; the same */
	struct slv_sets sets;            /* if --set requests them */
	uint64_t n_sets, n_broken;       /* number of sets, and of those with
					  * findings */
	struct slv_totals totals;
	bool failed; /* some file could not be written; that was reported */
};

/* Open the requested files, before any work is done; a code other than
 * SLV_EXIT_SOUND: one cannot be written, and that was reported.  args->records
 * is set while open. */
enum slv_exit slv_records_open(struct slv_run_files *, struct slv_args *);

/* Return true if any objects are requested. */
bool slv_records_wanted(const struct slv_run_files *);

/* Put an object, and free it; NULL counts as out of memory. */
void slv_records_put(struct slv_run_files *, char *json);

/* The same about a bag of ROS 2, which the page and JUnit have as well. */
void slv_records_bag(struct slv_run_files *, const char *folder, char *json);

/* Put the report of a file. */
void slv_records_add(struct slv_run_files *, const struct slv_told *);

/* For a file whose report is not put: it may be a segment. */
void slv_records_segment(struct slv_run_files *, const struct slv_told *);

/* Report what is wrong between the segments that were put, which must be all
 * that were requested; SLV_EXIT_*. */
int slv_records_sets(struct slv_run_files *);

/* Publish the files, after a summary of the `given` jobs if there were many.
 * Returns true if all were written. */
bool slv_records_close(struct slv_run_files *, size_t given);

#endif
