/* outputs.h - what a run writes in addition to logs. */
#ifndef SLV_CLI_OUTPUTS_H
#define SLV_CLI_OUTPUTS_H

#include "cli/options/opts.h"

/* Return true if all outputs have different names.
 *
 *   where  the beginning of the message on standard error */
bool slv_outputs_differ(const struct slv_args *, const char *where);

#endif
