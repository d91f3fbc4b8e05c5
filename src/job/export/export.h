/* export.h - the records of a reader as a file of another format. */
#ifndef SLV_JOB_EXPORT_H
#define SLV_JOB_EXPORT_H

#include "core/format/writer.h"
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

/* The format of that name; NULL: of the path, by its ending.
 *
 * SLV_E_USAGE: salvor writes no such format */
enum slv_status slv_export_format(const char *path, const char *to,
    const struct slv_format **out, struct slv_err *);

/* Write the records that the reader has not read yet.
 *
 * A failure is recorded in the log, and returned. */
enum slv_status slv_export_run(struct slv_reader *, const struct slv_format *,
    const struct slv_export_target *, struct slv_export *out);

#endif
