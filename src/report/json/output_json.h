/* output_json.h - what a job wrote, and what it left out. */
#ifndef SLV_REPORT_OUTPUT_JSON_H
#define SLV_REPORT_OUTPUT_JSON_H

#include "core/catalog/catalog.h"
#include "report/json/json_object.h"
#include "report/report.h"

/* A range that a repair leaves out, as a line of JSON.  All pointers are borrowed. */
struct slv_dropped {
	const char *file;  /* the input */
	const char *saved; /* name of the file that holds the range */
	uint64_t off, len; /* offset in the input */
	enum slv_fate fate;
	const char *finding; /* id of a finding about it; NULL: none */
	uint64_t unreadable; /* unreadable bytes of it, replaced by zeros */
	uint8_t sha256[SLV_SHA256_SIZE];
};

/* One line without a newline; NULL: out of memory. */
char *slv_dropped_json(const struct slv_dropped *);

/* The result for all of them, for a report; null if none were saved. */
json_t *slv_dropped_of(const struct slv_report *);

/* "plan": the segments of a repaired log. */
void slv_put_plan(struct slv_object *, const struct slv_report *);

/* "export" or "extract": which records were written; null: none. */
void slv_put_export(struct slv_object *, const struct slv_report *);

#endif
