/* policy_json.h - does a log keep the caller's rules, as JSON. */
#ifndef SLV_REPORT_POLICY_JSON_H
#define SLV_REPORT_POLICY_JSON_H

#include "report/json/json_object.h"
#include "report/report.h"

/* Put the keys `policy` and `violations`. */
void slv_put_policy(struct slv_object *, const struct slv_report *);

#endif
