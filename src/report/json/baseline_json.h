/* baseline_json.h - is a file what it was on an earlier day, as JSON. */
#ifndef SLV_REPORT_BASELINE_JSON_H
#define SLV_REPORT_BASELINE_JSON_H

#include "report/json/json_object.h"
#include "report/report.h"

/* Put the key `baseline`. */
void slv_put_baseline(struct slv_object *, const struct slv_report *);

#endif
