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

/* Check that an export of so many bytes is not far more than the log can mean:
 * what a log says about its channels may make text of records without bytes.
 *
 * SLV_E_LIMIT: it is; recorded in the log, too */
enum slv_status slv_export_check(struct slv_log *, uint64_t size);

/* What became of the log on its way, as pairs of text. */
#define SLV_EXPORT_NOTES 10
struct slv_export_note {
	struct slv_pair pairs[SLV_EXPORT_NOTES]; /* borrowed: from the rest, and
						  * from the report */
	size_t n;
	char lost[24], gaps[24], bytes[24], unsure[24];
};
void slv_export_note(struct slv_export_note *, const struct slv_report *);

/* Write the records that the reader has not read yet.
 *
 * A failure is recorded in the log, and returned. */
enum slv_status slv_export_run(struct slv_reader *,
    const struct slv_export_form *, const struct slv_export_target *,
    struct slv_export *out);

#endif
