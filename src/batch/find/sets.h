/* sets.h - segments of one recording, each a file of its own, held against each
 * other.
 *
 * Which files are segments their names say: NAME_N.EXT with a number of up to
 * five digits, where EXT is bag, bddf, log or record, and NAME.record.N.  Those
 * that differ in the number alone are a set.
 */
#ifndef SLV_BATCH_SETS_H
#define SLV_BATCH_SETS_H

#include "base/buf.h"

/* The parts of a path. */
struct slv_segment_name {
	size_t before, digits; /* bytes in front of the number, and of it */
	uint64_t number;
};

/* false: it is no segment. */
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
	struct slv_set_file *at; /* owned; by set and number when complete */
	size_t n, cap;
	const struct slv_problem_info *rows[SLV_SET_ROWS]; /* the catalogue's */
};

/* Take in the report of a file, as slv_report_json() gives it.  What could not
 * be judged, or is no log, counts by its name alone, as long as there are logs
 * in its set; what is no segment not at all. */
enum slv_status slv_sets_add(
    struct slv_sets *, const char *path, const char *report, struct slv_err *);

/* What is wrong with a set. */
struct slv_set_result {
	char *text; /* owned; for people */
	char *json; /* owned; as one line */
	char *name; /* owned; as a path with a * for the number */
	uint64_t findings;
};

/* The sets one after another: `from` begins at 0 and is moved on.  false: there
 * are no more.  What does not fit into memory is NULL. */
bool slv_sets_next(struct slv_sets *, size_t *from, struct slv_set_result *);

void slv_set_result_free(struct slv_set_result *);
void slv_sets_free(struct slv_sets *);

#endif
