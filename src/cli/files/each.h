/* each.h - files that are found as those of a batch and then done one by one,
 * as if they had been named so: where there are no workers.
 */
#ifndef SLV_CLI_EACH_H
#define SLV_CLI_EACH_H

#include "cli/files/files.h"
#include "cli/files/told.h"

struct slv_each;

/* Find the files and do them.  Returns the exit codes of all, ORed. */
int slv_each_run(struct slv_args *, const struct slv_treatment *);

/* Whether nothing is said of file i, which is no log that anybody named; it is
 * counted then.  NULL: all were named. */
bool slv_each_leaves(struct slv_each *, size_t i, const struct slv_told *);

/* Return true if file i was found in a folder. */
bool slv_each_found(const struct slv_each *, size_t i);

/* How many there were of those. */
size_t slv_each_left(const struct slv_each *);

/* When all are done: whether there were none at all, as slv_empty_check(). */
int slv_each_end(const struct slv_each *, const struct slv_treatment *,
    struct slv_run_files *);

#endif
