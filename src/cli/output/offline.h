/* offline.h - commands that read reports instead of logs. */
#ifndef SLV_CLI_OFFLINE_H
#define SLV_CLI_OFFLINE_H

#include "cli/options/opts.h"

/* From here on no such file can make the process open what was not named; like
 * slv_confine(). */
enum slv_status slv_offline_confine(const struct slv_args *, struct slv_err *);

#endif
