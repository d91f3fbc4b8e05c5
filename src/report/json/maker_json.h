/* maker_json.h - the run that made a report, as JSON. */
#ifndef SLV_REPORT_MAKER_JSON_H
#define SLV_REPORT_MAKER_JSON_H

#include <jansson.h>

#include "report/report.h"

/* NULL: out of memory. */
json_t *slv_json_maker(const struct slv_report *);

#endif
