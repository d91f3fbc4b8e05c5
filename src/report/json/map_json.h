/* map_json.h - what is where in the file, and when, as JSON. */
#ifndef SLV_REPORT_MAP_JSON_H
#define SLV_REPORT_MAP_JSON_H

#include "report/json/json_object.h"
#include "report/report.h"

/* Add `ranges`; `others` if the file holds other logs, and `attempts` if other
 * readings were tried. */
void slv_put_ranges(struct slv_object *, const struct slv_report *);

/* The value of `timeline`; NULL: out of memory. */
json_t *slv_json_timeline(const struct slv_timeline *);

#endif
