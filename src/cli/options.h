/* options.h - the options of all commands: one table. */
#ifndef SLV_CLI_OPTIONS_H
#define SLV_CLI_OPTIONS_H

#include <stddef.h>

#include "cli/opts.h"

struct slv_option {
	char letter;       /* '\0': none */
	const char *name;  /* long name without dashes */
	const char *value; /* what stands for the value in --help, or NULL */
	unsigned commands; /* SLV_CMD_* that have it */
	bool (*set)(void *at, const char *value); /* cli/values.h */
	size_t at; /* what it sets, in struct slv_args */
	const char *help;
};

extern const struct slv_option slv_option_rows[];
extern const size_t slv_n_options;

#endif
