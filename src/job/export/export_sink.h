/* export_sink.h - where an export goes.
 *
 * What the bytes will be is known when the last one is made.  If the output exists
 * and may not be replaced, they are compared with it while they are made: the same
 * export again is no failure, and writes nothing.
 */
#ifndef SLV_JOB_EXPORT_SINK_H
#define SLV_JOB_EXPORT_SINK_H

#include <sys/stat.h>

#include "io/write/sink.h"
#include "options/options.h"
#include "report/report.h"

struct slv_export_target {
	const struct slv_stream *stream; /* where "-" goes; NULL: standard
					  * output */
	const char *path;                /* borrowed */
	const struct stat *input;        /* borrowed */
	const struct slv_site *at; /* its directory, if it is open; or NULL */
	bool dry_run, force, make_dirs;
	const volatile sig_atomic_t *cancel;
};

/* Open it.
 *
 *   *outcome  what becomes of the output when the sink is committed
 *
 * SLV_E_USAGE: it is the input, or a directory.  Later, from write and commit,
 * SLV_E_EXISTS: something else is there */
enum slv_status slv_export_open(const struct slv_export_target *,
    enum slv_outcome *outcome, struct slv_sink **out, struct slv_err *);

#endif
