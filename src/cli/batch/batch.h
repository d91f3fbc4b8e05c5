/* batch.h - one job for many files, found here and there, by many processes.
 *
 * What is printed is in the order of the files and does not depend on who did
 * them when.  One file costs the others nothing, whatever it does to the
 * process that reads it.
 */
#ifndef SLV_CLI_BATCH_H
#define SLV_CLI_BATCH_H

#include "batch/find/find.h"
#include "cli/files/files.h"

/* Whether the arguments ask for what only a batch can do. */
bool slv_batch_is(const struct slv_args *);

/* Add the files that the arguments name to those that were found.
 *
 * SLV_E_USAGE: the arguments cannot go together; or as slv_find_add(),
 *              slv_find_list() */
enum slv_status slv_batch_find(
    const struct slv_args *, struct slv_find *, struct slv_err *);

/* The files cannot be worked on: say so.  Returns the exit code. */
int slv_batch_refuse(const struct slv_args *, const struct slv_err *);

/* Returns the exit codes of all files, ORed. */
int slv_batch_run(struct slv_args *, const struct slv_treatment *);

#endif
