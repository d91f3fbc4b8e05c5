/* rules.h - the rules of a policy, as the command line gives them.
 *
 * A rule on the command line is checked at once; files of rules are read when the
 * process is confined.
 */
#ifndef SLV_CLI_RULES_H
#define SLV_CLI_RULES_H

#include "cli/options/opts.h"

/* Remember a rule, or the file of some, where the name is NULL; both borrowed.
 * false: there is no such rule, or no memory. */
bool slv_rules_add(
    struct slv_rules_given *, const char *name, const char *value);

/* Put the files of rules into files[]; NULL: only count them. */
size_t slv_rules_files(const struct slv_args *, char **files);

/* Make ->policy of all rules, in their order.
 *
 * SLV_E_USAGE: a file is missing or holds no rules; SLV_E_NOMEM */
enum slv_status slv_rules_read(struct slv_args *, struct slv_err *);

void slv_rules_free(struct slv_args *);

#endif
