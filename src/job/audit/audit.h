/* audit.h - judge one source: scan, plan, prove.
 *
 * Everything between opening the input and writing an output, on any source,
 * so that tests can judge thousands of damaged files without touching a disk.
 */
#ifndef SLV_JOB_AUDIT_H
#define SLV_JOB_AUDIT_H

#include "core/digest/flip.h"
#include "core/plan/patch.h"
#include "core/plan/plan.h"
#include "core/readings/view.h"
#include "core/scan/scan.h"

struct slv_audit_options {
	struct slv_scan_options scan;
	bool plan;     /* make a plan, to say whether a repair is possible */
	bool prove;    /* scan the plan, before anyone writes it */
	bool annotate; /* say in the output that it was repaired */
	bool mark;     /* annotate where it must not be hidden */
	bool reseal;   /* a fresh digest over unproven payload is wanted */
	const struct slv_format *const *formats; /* ends with NULL; NULL: all
	                                          * that there are */
	unsigned effort; /* times the budget of trying flipped bits */
};

struct slv_audit {
	struct slv_source *input;                /* borrowed */
	const struct slv_format *const *formats; /* that it may be of */

	/* What is read as the log: the input, or a view of it.  All offsets of
	 * scan and plan are in that. */
	struct slv_source *read; /* borrowed */
	struct slv_view view;
	struct slv_catalog
	    of_input; /* of all bytes of the input, where there is
	                              * a view (job/readings/reading.h) */
	struct slv_attempt attempts[SLV_ATTEMPTS];
	size_t n_attempts;

	struct slv_scan scan;
	struct slv_hasher hasher; /* of the pass that read the payloads */
	struct slv_pages pages;   /* of zeros, that it met */
	struct slv_seal seal;     /* what that pass computed */
	struct slv_plan plan;     /* of an intact log: a copy of it */

	/* The present scan and plan are of what is read with these laid over
	 * it; NULL: as it is. */
	struct slv_source *patched; /* owned */
	struct slv_mends mends;     /* owned */
	struct slv_hasher patched_hasher;

	enum slv_state state; /* as a repair would leave it: INTACT, REPAIRED,
			       * LOSSY, DAMAGED, UNRECOVERABLE ... */
	enum slv_assurance assurance;
	bool planned;      /* the plan can be run */
	bool moves;        /* it could, but not in place */
	bool proven;       /* the plan's bytes match the log's own digest */
	bool contradicted; /* that digest survived whole and covers others */
	bool written;      /* the tee got all that the plan makes */
	bool annotated;    /* the plan writes annotations of ours */
	bool verified;     /* the plan was scanned and found sound */
};

/* Judge a source, borrowed while the audit lives.  The audit must be freed,
 * also after a failure.
 *
 * A plan that does not pass its own audit gives way to a more careful one.
 *
 * SLV_E_BUG: none passes; none must be run */
enum slv_status slv_audit_run(struct slv_audit *, struct slv_source *,
    const struct slv_audit_options *, struct slv_err *);

/* The caller wants logs that say where the recording ended: raise a finding
 * where this one does not.  One that is sound otherwise is so no more. */
enum slv_status slv_audit_require_end(struct slv_audit *, struct slv_err *);

void slv_audit_free(struct slv_audit *);

#endif
