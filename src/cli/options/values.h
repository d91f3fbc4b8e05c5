/* values.h - how the arguments of options that only a program has are read; the
 * others are in options/types.h.
 *
 * A rejected argument ends the program: what is at `at` then means nothing.
 */
#ifndef SLV_CLI_VALUES_H
#define SLV_CLI_VALUES_H

#include "options/types.h"

/* No argument: how often it was given, in an unsigned.  A page of help, in an enum
 * slv_help. */
extern const struct slv_option_type slv_type_count;
extern const struct slv_option_type slv_type_help;

/* const char *, borrowed: a shell. */
extern const struct slv_option_type slv_type_shell;

/* struct slv_batch_args; struct slv_shard; struct slv_subset, today's. */
extern const struct slv_option_type slv_type_recursive;
extern const struct slv_option_type slv_type_shard;
extern const struct slv_option_type slv_type_subset;

/* unsigned: 1 .. 1,024; bits SLV_OK_*; enum slv_colour. */
extern const struct slv_option_type slv_type_jobs;
extern const struct slv_option_type slv_type_ok;
extern const struct slv_option_type slv_type_colour;

/* struct slv_rules_given: a rule of a policy, and a file of them. */
extern const struct slv_option_type slv_type_max_gap;
extern const struct slv_option_type slv_type_max_lost;
extern const struct slv_option_type slv_type_min_rate;
extern const struct slv_option_type slv_type_require;
extern const struct slv_option_type slv_type_policy;

#endif
