/* offline.h - commands that read no logs, but what was told of some. */
#ifndef SLV_CLI_OFFLINE_H
#define SLV_CLI_OFFLINE_H

#include "cli/opts.h"

/* From here on no such file can make us touch what was not named. */
void slv_offline_confine(const struct slv_args *);

#endif
