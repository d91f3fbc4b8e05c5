/* offline.h - commands that read no logs, but what was told of some. */
#ifndef SLV_CLI_OFFLINE_H
#define SLV_CLI_OFFLINE_H

#include "cli/options/opts.h"

/* From here on no such file can make us touch what was not named; as
 * slv_confine(). */
enum slv_status slv_offline_confine(const struct slv_args *, struct slv_err *);

#endif
