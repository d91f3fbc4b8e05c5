/* batch.h - one job for many files, in worker processes.
 *
 * Output is in the order of the files and does not depend on which worker
 * processed them when.  A file never affects the others, whatever it does to
 * the process that reads it.
 */
#ifndef SLV_CLI_BATCH_H
#define SLV_CLI_BATCH_H

#include "batch/find/find.h"
#include "cli/files/files.h"

/* Return true if the arguments need a batch. */
bool slv_batch_is(const struct slv_args *);

/* Add the files that the arguments name to those found so far.
 *
 * SLV_E_USAGE: the arguments do not go together; or as slv_find_add(),
 *              slv_find_list() */
enum slv_status slv_batch_find(
    const struct slv_args *, struct slv_find *, struct slv_err *);

/* Report that the files cannot be processed.  Returns the exit code. */
int slv_batch_refuse(const struct slv_args *, const struct slv_err *);

/* Returns the exit codes of all files, ORed. */
int slv_batch_run(struct slv_args *, const struct slv_treatment *);

#endif
