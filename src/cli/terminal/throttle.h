/* throttle.h - read no faster than the user allows, because others use the disk.
 *
 * The throttle is called in place of the function that shows the progress of a job,
 * makes the job wait, and calls that function.
 */
#ifndef SLV_CLI_THROTTLE_H
#define SLV_CLI_THROTTLE_H

#include "cli/options/opts.h"

struct slv_throttle {
	double rate;          /* bytes a second */
	double ready;         /* seconds, by the clock: when more may be read */
	uint64_t done;        /* bytes of this pass */
	uint64_t seen;        /* bytes of this file, in all passes */
	slv_progress_fn next; /* shows the progress; NULL: none */
	void *ctx;
};

/* Install the throttle before the progress function of the job, if the arguments name
 * a rate; args->throttle is set then.
 *
 *   processes  that share the rate */
void slv_throttle_begin(
    struct slv_throttle *, struct slv_args *, unsigned processes);

/* A file of so many bytes was read, perhaps in steps too small to be seen.  NULL
 * is allowed. */
void slv_throttle_file(struct slv_throttle *, uint64_t size);

#endif
