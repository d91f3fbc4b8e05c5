/* output.h - publish a plan: under its name complete, or not at all. */
#ifndef SLV_JOB_OUTPUT_H
#define SLV_JOB_OUTPUT_H

#include <sys/stat.h>

#include "core/plan/plan.h"
#include "io/write/space.h"
#include "job/output/sidecar.h"
#include "report/report.h"

struct slv_output {
	const char *path;                  /* "-" = standard output; borrowed */
	const struct stat *input;          /* what the input is, borrowed */
	const struct slv_source *original; /* whose mode, times and so on the
	                                    * output gets; NULL: none */
	bool dry_run, force, verify_written, make_dirs;
	const char *other; /* what may be done where it does not fit, or NULL */
	const struct slv_site *at;   /* its folder, where it is open; or NULL */
	struct slv_sidecar *sidecar; /* published with it; NULL: none */
	const volatile sig_atomic_t *cancel;

	/* A sink that was opened before the plan was known, with the first of
	 * the output in it; given up with the call.  NULL: none. */
	struct slv_sink *early;
	const struct slv_hash_mark *from; /* how far, and its digest */

	struct slv_space space; /* receives what is needed and what is free */
};

/* Whether the output is a file that gets its name in one step: not standard
 * output, no device, no FIFO. */
bool slv_output_is_ours(const char *path);

/* Before standard output is made the output: the shell can make it the input
 * as well, with `>>x`, and then we are who has that open for writing.
 *
 * SLV_E_USAGE: so it did */
enum slv_status slv_output_check_standard(
    const struct stat *input, struct slv_err *);

/* Open the output before it is known what it will be, if it is a new file and
 * there is room for `size` bytes.
 *
 * SLV_E_REFUSED: not so */
enum slv_status slv_output_open(const struct slv_output *, uint64_t size,
    struct slv_sink **out, struct slv_err *);

/* Write the sealed plan's output, or find that it is there already.
 *
 * SLV_E_IO, ENOSPC: it will not fit
 * SLV_E_USAGE:  the output is the input, or a directory
 * SLV_E_EXISTS: something else is there, and force is false
 * Whatever the failure, an existing output is as it was, and no new one
 * can be seen. */
enum slv_status slv_output_publish(const struct slv_plan *, struct slv_output *,
    enum slv_outcome *, struct slv_err *);

#endif
