/* merge.h - several damaged copies of one recording as one source. */
#ifndef SLV_JOB_MERGE_H
#define SLV_JOB_MERGE_H

#include <sys/stat.h>

#include "core/copies/joined.h"
#include "job/audit/audit.h"
#include "report/report.h"

struct slv_merge_file {
	const char *name; /* borrowed */
	struct slv_source *source;
	struct stat st; /* what it was when it was opened */
};

struct slv_merge {
	struct slv_merge_file *files; /* owned; as they were named, and behind
	                               * them the log to fill gaps from */
	size_t n;                     /* of the copies */

	size_t *order; /* owned; the n copies as they are laid on each other */

	/* Owned; joint i is of all before it and of copy i + 1 in that order. */
	struct slv_joint *joints;
	struct slv_source **joined;
	size_t n_joined;
	uint64_t unplaced; /* bytes of whole units that found no place */
	uint64_t foreign;  /* bytes of other recordings in the copies */
	bool in_doubt; /* a digest survives that the result does not match */
};

/* A merge of n copies, whose sources are still to be put in; it closes them.
 * Free it, also after a failure. */
enum slv_status slv_merge_init(struct slv_merge *, size_t n, struct slv_err *);

/* The same, and open the copies.
 *
 *   fill    the log to fill gaps from; NULL: none
 *   target  where the output goes, or "-"; NULL: nowhere
 *
 * SLV_E_USAGE:   one is named twice, is the target, or is standard input
 * SLV_E_REFUSED: in one a repair in place was interrupted
 * SLV_E_ACTIVE:  somebody writes to one */
enum slv_status slv_merge_open(struct slv_merge *, const char *const *files,
    size_t n, const char *fill, const char *target, struct slv_err *);

/* Lay them on each other in their ->order; *out, which is the merge's, holds
 * what any of them has.  May be called again, for another order.
 *
 * SLV_E_UNRELATED: they are not of one recording, as far as this order shows */
enum slv_status slv_merge_lay(struct slv_merge *,
    const struct slv_audit_options *, struct slv_source **out,
    struct slv_err *);

/* What the last one laid is made of, as pieces of the copies themselves and of
 * bytes that are none of them; `out` is empty. */
enum slv_status slv_merge_flatten(
    const struct slv_merge *, struct slv_joint *out, struct slv_err *);

/* merge_order.c - the same in the order that gives most, whichever order they
 * were named in. */
enum slv_status slv_merge_join(struct slv_merge *,
    const struct slv_audit_options *, struct slv_source **out,
    struct slv_err *);

/* SLV_E_ACTIVE: a copy has changed since it was opened. */
enum slv_status slv_merge_unchanged(const struct slv_merge *, struct slv_err *);

/* Raise what is still in doubt of the audited result, and call it repaired
 * where it is none of the copies as it was. */
enum slv_status slv_merge_judge(
    const struct slv_merge *, struct slv_audit *, struct slv_err *);

/* Tell the report where the bytes of the result are from. */
enum slv_status slv_merge_report(
    const struct slv_merge *, struct slv_report *, struct slv_err *);

void slv_merge_free(struct slv_merge *);

#endif
