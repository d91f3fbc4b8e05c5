/* gaps_json.h - what was lost, gap by gap, as JSON. */
#ifndef SLV_REPORT_GAPS_JSON_H
#define SLV_REPORT_GAPS_JSON_H

#include "report/json/json_object.h"
#include "report/report.h"

/* Put the keys `gaps`, `gaps_total` and `open_end`. */
void slv_put_gaps(struct slv_object *, const struct slv_report *);

#endif
