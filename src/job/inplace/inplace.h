/* inplace.h - run a plan on the file it was made from.
 *
 * Only what differs is touched, and job/inplace/undo_record.h takes it back.
 */
#ifndef SLV_JOB_INPLACE_H
#define SLV_JOB_INPLACE_H

#include "io/write/space.h"
#include "job/inplace/undo.h"
#include "job/output/sidecar.h"

struct slv_inplace {
	const struct slv_plan *plan; /* sealed; borrowed, as all below */
	struct slv_scan *scan;       /* of which it was made, and is encoded */
	struct slv_source *source;   /* the file itself */
	const struct stat *input;    /* what it was when it was opened */
	const struct slv_undo_names *names;
	bool verify_written;
	bool linked_ok;              /* also a file with more than one name */
	struct slv_sidecar *sidecar; /* published before; NULL: none */
	const volatile sig_atomic_t *cancel; /* until the first byte changes */

	/* Filled in, with the old SHA-1 by the caller. */
	struct slv_undo_making record;
	struct slv_ranges patches; /* owned: free with slv_inplace_free */
	struct slv_space space;    /* where the record goes */
	uint64_t appended, cut;    /* bytes */
};

/* Find out what would change, and how large the record would be.
 *
 * SLV_E_REFUSED: the file has more than one name, holds sectors that cannot
 *                be read, or is no regular file
 * SLV_E_EXISTS:  the record of an earlier repair is still there
 * SLV_E_IO, ENOSPC: it will not fit */
enum slv_status slv_inplace_measure(struct slv_inplace *, struct slv_err *);

/* Do it, after it was measured:
 *
 *	record, on the disk with its name
 *	appended bytes reserved; the report beside the file
 *	appended bytes written -> fsync -> cut -> fsync
 *	patches, but for the first and the last bytes of the log -> fsync
 *	the last bytes -> fsync -> the first bytes -> fsync
 *	record closed
 *
 * After a failure the file is as it was and no record is there, unless the
 * message says otherwise. */
enum slv_status slv_inplace_run(struct slv_inplace *, struct slv_err *);

void slv_inplace_free(struct slv_inplace *);

#endif
