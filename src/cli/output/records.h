/* records.h - where the objects for machines go: --json, --report, --sums,
 * --html, --junit.
 */
#ifndef SLV_CLI_RECORDS_H
#define SLV_CLI_RECORDS_H

#include "batch/find/sets.h"
#include "cli/exitcode.h"
#include "cli/options/opts.h"

struct slv_told;

struct slv_records {
	const struct slv_args *args;
	struct slv_lines *report, *sums; /* owned; NULL: not asked for */
	struct slv_html *html;           /* owned; the same */
	struct slv_junit *junit;         /* owned; the same */
	struct slv_sets sets;            /* where --set asks for them */
	uint64_t n_sets, n_broken;       /* of them, and with findings */
	struct slv_totals totals;
	bool failed; /* something could not be written; that was said */
};

/* Open the files that are asked for, before any work is done; else than
 * SLV_EXIT_SOUND: one cannot be written, and that was said.  args->records is
 * set while open. */
enum slv_exit slv_records_open(struct slv_records *, struct slv_args *);

/* Whether anybody wants objects. */
bool slv_records_wanted(const struct slv_records *);

/* Put an object, freeing it; NULL counts as out of memory. */
void slv_records_put(struct slv_records *, char *json);

/* Put what is known of a file. */
void slv_records_add(struct slv_records *, const struct slv_told *);

/* Of a file that is put nowhere: it may be a segment. */
void slv_records_segment(struct slv_records *, const struct slv_told *);

/* Say what is wrong between the segments that were put, which must be all that
 * were asked for; SLV_EXIT_*. */
int slv_records_sets(struct slv_records *);

/* Publish the files, after a summary of the `given` jobs if there were many.
 * Returns whether all could be written. */
bool slv_records_close(struct slv_records *, size_t given);

#endif
