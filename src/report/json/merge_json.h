/* merge_json.h - what a log was made of in addition to the input, as JSON. */
#ifndef SLV_REPORT_MERGE_JSON_H
#define SLV_REPORT_MERGE_JSON_H

#include "report/json/json_object.h"
#include "report/report.h"

/* Put "copies" and "added". */
void slv_put_merge(struct slv_object *, const struct slv_report *);

/* Put "donor" and "siblings". */
void slv_put_donor(struct slv_object *, const struct slv_report *);

#endif
