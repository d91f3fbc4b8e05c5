/* audit.h - judge one source: scan, plan, prove.
 *
 * Everything between opening the input and writing an output, on any source, so
 * that tests can judge thousands of damaged files without touching a disk.
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
	bool plan;      /* make a plan, to find out if a repair is possible */
	bool prove;     /* scan the plan before it is written */
	bool unwritten; /* it will only be read: compute no digest of an intact
			 * log */
	bool annotate;  /* note in the output that it was repaired */
	bool mark;      /* annotate if the repair must not be hidden */
	bool reseal;    /* write a new digest over unproven payload */
	const struct slv_format *const *formats; /* ends with NULL; NULL: all
						  * formats */
	unsigned effort; /* multiplies the budget for flipped bits */
};

struct slv_audit {
	struct slv_source *input;                /* borrowed */
	const struct slv_format *const *formats; /* the formats to choose
						  * from */

	/* What is read as the log: the input, or a view of it.  All offsets of
	 * scan and plan refer to it. */
	struct slv_source *read; /* borrowed */
	struct slv_view view;
	struct slv_catalog
	    of_input; /* of all bytes of the input, if there is a view
		       * (job/readings/reading.h) */
	struct slv_attempt attempts[SLV_ATTEMPTS];
	size_t n_attempts;

	struct slv_scan scan;
	struct slv_hasher hasher; /* from the pass that read the payloads */
	struct slv_pages pages;   /* pages of zeros in that pass */
	struct slv_seal seal;     /* result of that pass */
	struct slv_plan plan;     /* for an intact log: a copy of it */

	/* The present scan and plan are of what is read with these patches;
	 * NULL: without patches. */
	struct slv_source *patched; /* owned */
	struct slv_mends mends;     /* owned */
	struct slv_hasher patched_hasher;

	enum slv_state state; /* after a repair: INTACT, REPAIRED, LOSSY,
			       * DAMAGED, UNRECOVERABLE ... */
	enum slv_assurance assurance;
	bool planned;      /* the plan can be run */
	bool moves;        /* it could, except in place */
	bool proven;       /* the plan's bytes match the log's own digest */
	bool contradicted; /* that digest survived whole and does not match */
	bool written;      /* the tee has everything that the plan makes */
	bool annotated;    /* the plan writes salvor's annotations */
	bool verified;     /* the plan was scanned and found sound */
	bool inherited;    /* ... but for what the first scan knows */
};

/* Judge a source, borrowed while the audit lives.  Free the audit, also after a
 * failure.  A plan that does not pass its own audit is replaced by a more
 * careful one.
 *
 * SLV_E_BUG: no plan passes; none must be run */
enum slv_status slv_audit_run(struct slv_audit *, struct slv_source *,
    const struct slv_audit_options *, struct slv_err *);

/* Return true if nothing that was read needs a repair. */
static inline bool
slv_audit_is_sound(const struct slv_audit *a)
{
	return a->state == SLV_STATE_INTACT || a->state == SLV_STATE_INDEXED;
}

/* The caller wants logs that state where the recording ended: raise a finding
 * if this log does not.  A log that is sound otherwise then is not. */
enum slv_status slv_audit_require_end(struct slv_audit *, struct slv_err *);

void slv_audit_free(struct slv_audit *);

#endif
