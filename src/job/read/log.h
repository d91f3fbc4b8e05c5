/* log.h - a log that is open for reading records.
 *
 * What a repair would write is a source (core/plan/plan.h), and a scan has found it
 * sound.  Readers walk over that; for an intact log it is the file.
 */
#ifndef SLV_JOB_LOG_H
#define SLV_JOB_LOG_H

#include "core/format/records.h"
#include "job/read/channels.h"
#include "job/read/origin.h"
#include "job/work.h"
#include "options/options.h"

struct slv_log {
	struct slv_options opt;
	char *name; /* owned */
	const char *files[1];
	struct slv_work work; /* the job of a repair that writes nothing */

	struct slv_source *out; /* owned; its output; NULL: the input itself */
	struct slv_scan of_out; /* ... scanned */
	struct slv_scan *scan;  /* of what is read; NULL: nothing can be */
	struct slv_channels channels;
	struct slv_origins origins;
	struct slv_err err;

	/* Readers share what the driver has decoded last: this counts how often
	 * it was something else. */
	uint64_t decoded;
};

/* Audit the log of a source, which becomes the log's; NULL: open its name.  Records
 * the first failure, which is returned. */
enum slv_status slv_log_audit(struct slv_log *, struct slv_source *);

/* A log with that name.  NULL: out of memory. */
struct slv_log *slv_log_new(const char *name, const struct slv_options *);

/* Nothing of it can be read: record why, and return SLV_E_REFUSED. */
enum slv_status slv_log_refuse(struct slv_log *);

/* reader.c - the log that it reads. */
struct slv_log *slv_reader_log(const struct slv_reader *);

struct slv_filter;

/* Which records it wants, borrowed from the reader.  Nothing else can be chosen after
 * that. */
enum slv_status slv_reader_filter(struct slv_reader *, struct slv_filter **out);

/* Is the channel wanted?  Nothing else can be chosen after that. */
enum slv_status slv_reader_wants(
    struct slv_reader *, uint32_t channel, bool *yes);

#endif
