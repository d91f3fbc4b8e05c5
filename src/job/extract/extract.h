/* extract.h - an extraction while it runs, shared by the modules that do it. */
#ifndef SLV_JOB_EXTRACT_H
#define SLV_JOB_EXTRACT_H

#include "job/extract/segments.h"

struct slv_extract {
	const struct slv_options *opt; /* borrowed */
	struct slv_segments from;      /* owned */
	bool sorts;                    /* in the order of time */
	char *target;                  /* owned; NULL: not known yet */
	struct slv_site at;            /* owned; its folder, if it exists */

	/* What reports are made of: the work of the log; of several logs `own`,
	 * which has no source. */
	struct slv_work *work;
	struct slv_work own;

	struct slv_log *made; /* owned; what is written, repaired */
	struct slv_exported what;
	uint64_t *seen; /* owned; records so far, by channel of the output */
	uint32_t *into; /* owned; their channels in ->made, as far as known */
	struct slv_err err;
};

/* extract_proof.c - repair what was put together, which is closed, and compare every
 * record with the one that was wanted: ->made, and ->what is counted on.
 *
 * SLV_E_REFUSED: a sound log cannot have all of them */
enum slv_status slv_extract_prove(struct slv_extract *, struct slv_source *);

/* extract_report.c - say in the report of several logs what became of them, and what
 * their reports are. */
enum slv_status slv_extract_report(struct slv_extract *);

#endif
