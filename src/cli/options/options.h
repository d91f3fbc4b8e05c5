/* options.h - the options of all commands: one table. */
#ifndef SLV_CLI_OPTIONS_H
#define SLV_CLI_OPTIONS_H

#include <stddef.h>

#include "cli/options/opts.h"

/* What an option is about: under such a heading --help=all has it. */
enum slv_group {
	SLV_GROUP_OUTPUT,
	SLV_GROUP_SALVAGE,
	SLV_GROUP_RULES,
	SLV_GROUP_BATCH,
	SLV_GROUP_REPORTS,
	SLV_GROUP_LIMITS,
	SLV_GROUP_PROGRAM,
	SLV_GROUPS
};

struct slv_option {
	enum slv_group group;
	char letter;       /* '\0': none */
	const char *name;  /* long name without dashes */
	const char *value; /* what --help shows for the value, or NULL; with
	                    * "?" before it: it may be missing, and is
	                    * only given as --name=value */
	unsigned commands; /* SLV_CMD_* that have it */
	bool (*set)(void *at, const char *value); /* cli/options/values.h */
	size_t at; /* what it sets, in struct slv_args */
	const char *help;
};

extern const struct slv_option slv_option_rows[];
extern const size_t slv_n_options;

/* The option that a command has under that name; NULL: none. */
const struct slv_option *slv_option_named(
    const char *name, size_t len, unsigned command);

/* Append "-n, --name=VALUE", in columns. */
void slv_option_put(struct slv_buf *, const struct slv_option *);

#endif
