/* output.h - publish a plan: complete under its name, or not at all. */
#ifndef SLV_JOB_OUTPUT_H
#define SLV_JOB_OUTPUT_H

#include <sys/stat.h>

#include "core/plan/plan.h"
#include "io/write/space.h"
#include "job/output/sidecar.h"
#include "report/report.h"

struct slv_output {
	const char *path;                  /* "-" = the stream; borrowed */
	const struct slv_stream *stream;   /* NULL: standard output */
	const struct stat *input;          /* status of the input, borrowed */
	const struct slv_source *original; /* gives the output mode, times and
					    * so on; NULL: none */
	bool dry_run, force, verify_written, make_dirs;
	const char *other;           /* advice if it does not fit, or NULL */
	const struct slv_site *at;   /* its directory, if it is open; or NULL */
	struct slv_sidecar *sidecar; /* published with it; NULL: none */
	const volatile sig_atomic_t *cancel;

	/* A sink that was opened before the plan was known and has the first
	 * bytes of the output; the call takes it over.  NULL: none. */
	struct slv_sink *early;
	const struct slv_hash_mark *from; /* how many bytes, and their digest */

	struct slv_space space; /* receives the space needed and the free
				 * space */
};

/* Return true if the output is a file that gets its name in one step: not
 * standard output, a device or a FIFO. */
bool slv_output_is_ours(const char *path);

/* Open the output before its content is known, if it is a new file and there is
 * space for `size` bytes.
 *
 * SLV_E_REFUSED: it is not, or there is not */
enum slv_status slv_output_open(const struct slv_output *, uint64_t size,
    struct slv_sink **out, struct slv_err *);

/* Write the sealed plan's output, or find that it exists already.
 *
 * SLV_E_IO, ENOSPC: it will not fit
 * SLV_E_USAGE:  the output is the input, or a directory
 * SLV_E_EXISTS: something else is there, and force is false
 *
 * On any failure an existing output is unchanged, and no new one is visible. */
enum slv_status slv_output_publish(const struct slv_plan *, struct slv_output *,
    enum slv_outcome *, struct slv_err *);

#endif
