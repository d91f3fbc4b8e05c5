/* export.h - the records of a reader as a file of another format. */
#ifndef SLV_JOB_EXPORT_H
#define SLV_JOB_EXPORT_H

#include "job/export/export_form.h"
#include "job/export/export_sink.h"
#include "job/read/log.h"
#include "report/report.h"

/* The result, as reports have it. */
struct slv_export {
	enum slv_outcome outcome;
	uint64_t size; /* bytes */
	uint8_t sha1[SLV_SHA1_SIZE];
	struct slv_exported what;
};

/* Write the records that the reader has not read yet.
 *
 * A failure is recorded in the log, and returned. */
enum slv_status slv_export_run(struct slv_reader *,
    const struct slv_export_form *, const struct slv_export_target *,
    struct slv_export *out);

#endif
