/* plan_file.h - a plan as a file, to be carried out where the log is.
 *
 * A plan is a text of lines, each ended by a newline, with one space between
 * words and all numbers decimal (docs/plan.md):
 *
 *	salvor-plan 1
 *	input SIZE SHA256
 *	output SIZE SHA256
 *	report SHA1 BASE64
 *	copy OFFSET LENGTH
 *	bytes LENGTH BASE64
 *	fill LENGTH BYTE
 *	end
 *
 * The output is what the lines after these give, in their order.  `report` is
 * there only if the output lacks records: what is to be next to it.
 * A reader refuses everything else, because a plan comes from elsewhere.
 */
#ifndef SLV_JOB_PLAN_FILE_H
#define SLV_JOB_PLAN_FILE_H

#include "core/plan/plan.h"
#include "job/output/sidecar.h"
#include "job/work.h"

#define SLV_PLAN_MAGIC "salvor-plan "
#define SLV_PLAN_LIMIT ((size_t)1 << 30) /* bytes of such a file */

/* Which file a plan is about. */
struct slv_plan_end {
	uint64_t size; /* bytes */
	uint8_t sha256[SLV_SHA256_SIZE];
};

struct slv_plan_file {
	struct slv_plan_end input, output;
	char *report;           /* owned; NULL: none */
	struct slv_claim claim; /* the output, as the report names it */
	struct slv_plan plan;   /* owned; without its input */
};

/* Publish the plan of an audited log as the --plan-out of the work, if that is
 * wanted and there is a plan.
 *
 *   report  what goes next to the output; NULL: nothing
 *
 * SLV_E_IO:    sectors of the input cannot be read, so that it has no digest
 * SLV_E_LIMIT: it would be longer than SLV_PLAN_LIMIT */
enum slv_status slv_plan_file_publish(struct slv_work *, const char *report);

/* Read the text of a plan, n bytes that a NUL follows.  The plan is known, but
 * for the input, which the caller sets.
 *
 *   path  for messages
 *
 * SLV_E_REFUSED: it is no plan, or a damaged one */
enum slv_status slv_plan_file_read(struct slv_plan_file *, const char *path,
    char *text, size_t n, struct slv_err *);

void slv_plan_file_free(struct slv_plan_file *);

#endif
