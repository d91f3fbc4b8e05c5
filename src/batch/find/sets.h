/* sets.h - compare the segments of one recording, each a file of its own.
 *
 * Segments are recognised by their names: NAME_N.EXT with a number of up to
 * five digits, where EXT is bag, bddf, log or record, and NAME.record.N.  Names
 * that differ only in the number are a set.
 */
#ifndef SLV_BATCH_SETS_H
#define SLV_BATCH_SETS_H

#include "base/buf.h"

/* The parts of a path. */
struct slv_segment_name {
	size_t before, digits; /* bytes before the number, and its digits */
	uint64_t number;
};

/* false: it is not a segment. */
bool slv_segment_name(const char *path, struct slv_segment_name *);

struct slv_set_file;

/* What can be wrong. */
enum slv_set_row {
	SLV_SET_CHANNELS,
	SLV_SET_GAP,
	SLV_SET_MISSING,
	SLV_SET_OVERLAP,
	SLV_SET_ROWS
};

/* Starts as { 0 }. */
struct slv_sets {
	struct slv_set_file *at; /* owned; sorted by set and number when
				  * complete */
	size_t n, cap;
	const struct slv_problem_info
	    *rows[SLV_SET_ROWS]; /* of the catalogue */
};

/* Add the report of a file, as slv_report_json() returns it.  A file that could
 * not be judged, or is not a log, counts by its name alone, as long as its set
 * has logs.  A file that is not a segment does not count. */
enum slv_status slv_sets_add(
    struct slv_sets *, const char *path, const char *report, struct slv_err *);

/* The findings about a set. */
struct slv_set_result {
	char *text; /* owned; for people */
	char *json; /* owned; as one line */
	char *name; /* owned; a path with * for the number */
	uint64_t findings;
};

/* Iterate over the sets: `from` begins at 0 and is advanced.  false: there are
 * no more.  A result for which there is no memory is NULL. */
bool slv_sets_next(struct slv_sets *, size_t *from, struct slv_set_result *);

void slv_set_result_free(struct slv_set_result *);
void slv_sets_free(struct slv_sets *);

#endif
