/* trim.h - a report that must not be longer than so much. */
#ifndef SLV_REPORT_TRIM_H
#define SLV_REPORT_TRIM_H

#include <stddef.h>

/* A report in JSON, which is taken over, of at most so many bytes: where it is
 * longer each list keeps its first entries only, and "trimmed" is how many.
 * Owned by the caller; NULL: memory ran out, or `report` was NULL. */
char *slv_report_trim(char *report, size_t most);

#endif
