/* earlier.h - what an earlier repair of the log lost, as gaps of an export. */
#ifndef SLV_JOB_EARLIER_H
#define SLV_JOB_EARLIER_H

#include "core/catalog/gaps.h"
#include "report/report.h"

struct slv_earlier {
	struct slv_gap *at; /* owned; their offsets are in the file that was
			     * repaired */
	size_t n;
};

/* The gaps that the report next to the log states, if it is about this log or one that
 * this log may be. */
enum slv_status slv_earlier_find(
    struct slv_earlier *, const struct slv_report *, struct slv_err *);

void slv_earlier_free(struct slv_earlier *);

#endif
