/* confine.h - the sandbox, as the command line asks for it. */
#ifndef SLV_CLI_CONFINE_H
#define SLV_CLI_CONFINE_H

#include "cli/options/opts.h"
#include "guard/guard.h"

/* Give up what the job does not need.
 *
 * SLV_E_USAGE  --require-sandbox cannot be met */
enum slv_status slv_confine(
    const struct slv_args *, const struct slv_guard_job *, struct slv_err *);

/* The same check beforehand, if workers are confined and not this process. */
enum slv_status slv_confine_check(const struct slv_args *, struct slv_err *);

#endif
