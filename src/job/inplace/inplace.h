/* inplace.h - run a plan on the file it was made from.
 *
 * Only bytes that differ are changed, and job/inplace/undo_record.h undoes it.
 */
#ifndef SLV_JOB_INPLACE_H
#define SLV_JOB_INPLACE_H

#include "io/write/space.h"
#include "job/inplace/undo.h"
#include "job/output/sidecar.h"

struct slv_inplace {
	const struct slv_plan *plan; /* sealed; borrowed, as all below */
	struct slv_scan *scan;       /* the scan that it was made from and is
				      * encoded from */
	struct slv_source *source;   /* the file itself */
	const struct stat *input;    /* the file when it was opened */
	const struct slv_undo_names *names;
	bool verify_written;
	bool linked_ok;              /* accept a file with several hard links */
	struct slv_sidecar *sidecar; /* published first; NULL: none */
	const volatile sig_atomic_t *cancel; /* only until the first byte
					      * changes */

	/* Results; the caller sets the old SHA-1. */
	struct slv_undo_making record;
	struct slv_ranges patches; /* owned: free with slv_inplace_free */
	struct slv_space space;    /* on the disk of the record */
	uint64_t appended, cut;    /* bytes */
};

/* Measure what would change, and how large the record would be.
 *
 * SLV_E_REFUSED: the file has more than one name, holds sectors that cannot
 *                be read, or is no regular file
 * SLV_E_EXISTS:  the record of an earlier repair is still there
 * SLV_E_IO, ENOSPC: it will not fit */
enum slv_status slv_inplace_measure(struct slv_inplace *, struct slv_err *);

/* Change the file, after it was measured:
 *
 *	record, on the disk with its name
 *	appended bytes reserved; the report next to the file
 *	appended bytes written -> fsync -> cut -> fsync
 *	patches, except for the first and the last bytes of the log -> fsync
 *	the last bytes -> fsync -> the first bytes -> fsync
 *	record closed
 *
 * After a failure the file is unchanged and there is no record, unless the
 * message says otherwise. */
enum slv_status slv_inplace_run(struct slv_inplace *, struct slv_err *);

void slv_inplace_free(struct slv_inplace *);

#endif
