/* fill.h - add what a second recording has of the lost time. */
#ifndef SLV_JOB_FILL_H
#define SLV_JOB_FILL_H

#include "core/format/fill.h"
#include "job/audit/audit.h"
#include "report/report.h"

struct slv_filled {
	bool any; /* blocks were added: `audit` has what will be written */
	struct slv_audit audit;

	/* The bytes that it reads; owned. */
	struct slv_source *repaired, *source;
	struct slv_fill fill;
};

/* Add blocks of the donor to what an audit has planned.  Free it, also after a
 * failure.
 *
 * SLV_E_UNRELATED: the donor is not such a log, or has no channel in common */
enum slv_status slv_fill_run(struct slv_filled *, struct slv_audit *,
    struct slv_source *donor, const struct slv_audit_options *,
    struct slv_err *);

/* Put into the report what was added; what it says about the copies stays. */
enum slv_status slv_fill_report(const struct slv_filled *, const char *name,
    struct slv_report *, struct slv_err *);

void slv_filled_free(struct slv_filled *);

#endif
