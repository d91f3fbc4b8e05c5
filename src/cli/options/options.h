/* options.h - the options of all commands: those of the library, and those that
 * only a program can have. */
#ifndef SLV_CLI_OPTIONS_H
#define SLV_CLI_OPTIONS_H

#include "cli/options/opts.h"
#include "options/option.h"

/* Option i; NULL past the end. */
const struct slv_option *slv_option_at(size_t i);

/* Step through those that one of the commands takes: *i starts at 0; NULL: no
 * more. */
const struct slv_option *slv_option_next(size_t *i, unsigned commands);

/* The option that a command has under that name, or letter; NULL: none. */
const struct slv_option *slv_option_named(
    const char *name, size_t len, unsigned command);
const struct slv_option *slv_option_lettered(char letter, unsigned command);

/* Its argument, as help shows it; NULL: one of these commands takes none.  And the
 * argument that must be given; NULL: none must. */
const char *slv_option_argument(const struct slv_option *, unsigned commands);
const char *slv_option_must(const struct slv_option *, unsigned commands);

/* Where its type keeps it. */
void *slv_option_home(const struct slv_option *, struct slv_args *);

#endif
