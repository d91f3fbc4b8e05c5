/* empty.h - a run that has no log to work on.
 *
 * Whoever audits an archive whose disk is not mounted must not be told that all
 * is sound.
 */
#ifndef SLV_CLI_EMPTY_H
#define SLV_CLI_EMPTY_H

#include "batch/find/find.h"
#include "cli/output/records.h"

/* Report a search that came to nothing, as text and as an object, unless
 * --allow-empty is given: the exit code.
 *
 *   no_logs  files that were found, and left out because they are no logs */
int slv_empty_check(
    struct slv_run_files *, const struct slv_find *, uint64_t no_logs);

#endif
