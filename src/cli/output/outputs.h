/* outputs.h - what a run writes besides logs. */
#ifndef SLV_CLI_OUTPUTS_H
#define SLV_CLI_OUTPUTS_H

#include "cli/options/opts.h"

/* Whether no two outputs have one name.
 *
 *   where  what the message on standard error begins with */
bool slv_outputs_differ(const struct slv_args *, const char *where);

#endif
