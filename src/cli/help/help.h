/* help.h - help, made from the tables of commands, options and exit codes.
 *
 * Each text is owned by the caller; NULL: out of memory.
 */
#ifndef SLV_CLI_HELP_H
#define SLV_CLI_HELP_H

#include "cli/cli.h"

/* One screen.
 *
 *   c  NULL: of the program */
char *slv_help_page(const struct slv_command *c);

/* All options, in groups, and the exit codes. */
char *slv_help_all(const struct slv_command *c);

#endif
