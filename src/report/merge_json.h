/* merge_json.h - what a merge was made of, as JSON. */
#ifndef SLV_REPORT_MERGE_JSON_H
#define SLV_REPORT_MERGE_JSON_H

#include "report/json_object.h"
#include "report/report.h"

/* Put "copies" and "added". */
void slv_put_merge(struct slv_object *, const struct slv_report *);

#endif
