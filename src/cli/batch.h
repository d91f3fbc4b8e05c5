/* batch.h - one job for many files, found here and there, by many processes.
 *
 * What is printed is in the order of the files and does not depend on who did
 * them when.  One file costs the others nothing, whatever it does to the
 * process that reads it.
 */
#ifndef SLV_CLI_BATCH_H
#define SLV_CLI_BATCH_H

#include "cli/files.h"

/* Whether the arguments ask for what only a batch can do. */
bool slv_batch_is(const struct slv_args *);

/* Returns the exit codes of all files, ORed. */
int slv_batch_run(struct slv_args *, const struct slv_treatment *);

#endif
