/* merge.h - several damaged copies of one recording as one source. */
#ifndef SLV_JOB_MERGE_H
#define SLV_JOB_MERGE_H

#include <sys/stat.h>

#include "core/copies/joined.h"
#include "job/audit/audit.h"
#include "job/input/active.h"
#include "report/report.h"

struct slv_merge_file {
	const char *name; /* borrowed */
	struct slv_source *source;
	struct stat st; /* status when it was opened */
};

struct slv_merge {
	struct slv_merge_file *files; /* owned; the copies in the order of the
				       * caller, then the log to fill gaps
				       * from */
	size_t n;                     /* number of copies */

	size_t *order; /* owned; the n copies in the order in which they are
		        * joined */

	/* Owned; joint i joins everything before it and copy i + 1 in that
	 * order. */
	struct slv_joint *joints;
	struct slv_source **joined;
	size_t n_joined;
	uint64_t unplaced; /* bytes of whole units without a place */
	uint64_t foreign;  /* bytes of other recordings in the copies */
	bool in_doubt; /* a digest survives that does not match the result */
};

/* Prepare a merge of n copies.  The caller sets their sources, and the merge
 * closes them.  Free it, also after a failure. */
enum slv_status slv_merge_init(struct slv_merge *, size_t n, struct slv_err *);

/* The same, and open the copies.
 *
 *   target  the output, or "-"; NULL: none
 *
 * SLV_E_LIMIT:   they are too many
 * SLV_E_USAGE:   one is named twice, is the target, or is standard input
 * SLV_E_REFUSED: in one a repair in place was interrupted
 * SLV_E_ACTIVE:  another process writes one */
enum slv_status slv_merge_open(struct slv_merge *, const char *const *files,
    size_t n, const struct slv_options *, const char *target, struct slv_err *);

/* Join them in their ->order.  *out, which the merge owns, holds what any of
 * them has; NULL: it failed.  May be called again for another order, which closes what
 * it gave before.
 *
 * SLV_E_UNRELATED: they are of different recordings, as far as this order
 * shows */
enum slv_status slv_merge_lay(struct slv_merge *,
    const struct slv_audit_options *, struct slv_source **out,
    struct slv_err *);

/* List the pieces of the last result: ranges of the copies, and bytes that are
 * in none of them; `out` is empty. */
enum slv_status slv_merge_flatten(
    const struct slv_merge *, struct slv_joint *out, struct slv_err *);

/* merge_order.c - the same in the best order, whatever the order of the
 * caller. */
enum slv_status slv_merge_join(struct slv_merge *,
    const struct slv_audit_options *, struct slv_source **out,
    struct slv_err *);

/* SLV_E_ACTIVE: a copy has changed since it was opened.
 *
 *   judge  slv_active_change or slv_active_touch */
enum slv_status slv_merge_unchanged(
    const struct slv_merge *, slv_active_fn judge, struct slv_err *);

/* Raise what is still in doubt in the audited result, and call it repaired if
 * it equals none of the copies. */
enum slv_status slv_merge_judge(
    const struct slv_merge *, struct slv_audit *, struct slv_err *);

/* Report which copy the bytes of the result come from. */
enum slv_status slv_merge_report(
    const struct slv_merge *, struct slv_report *, struct slv_err *);

void slv_merge_free(struct slv_merge *);

#endif
