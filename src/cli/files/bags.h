/* bags.h - folders of ROS 2 on the command line.
 *
 * A folder that is a bag means its files.  Each is a job of its own, and
 * then metadata.yaml is compared with what they found, or written again.
 */
#ifndef SLV_CLI_BAGS_H
#define SLV_CLI_BAGS_H

#include "cli/cli.h"
#include "cli/files/files.h"
#include "cli/output/records.h"

struct slv_bags;

/* Run a command; bags among its operands are replaced by their files. */
int slv_bags_run(const struct slv_command *, struct slv_args *);

/* Fill in the paths of their metadata.yaml, borrowed; NULL: only count
 * them.  bags may be NULL.  Returns how many there are. */
size_t slv_bags_metadata(const struct slv_bags *, char **out);

/* Return true if operand i is a file of a bag; bags may be NULL. */
bool slv_bags_have(const struct slv_bags *, size_t i);

/* What the job said about operand i; bags may be NULL. */
void slv_bags_add(struct slv_bags *, const struct slv_args *,
    const struct slv_treatment *, size_t i, const struct slv_report *);

/* Judge the bags, and write what is to be written; SLV_EXIT_*. */
int slv_bags_end(struct slv_bags *, const struct slv_args *,
    const struct slv_treatment *, struct slv_run_files *);

#endif
