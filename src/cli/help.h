/* help.h - help, made from the tables of commands, options and exit codes.
 *
 * Each text is owned by the caller; NULL: out of memory.
 */
#ifndef SLV_CLI_HELP_H
#define SLV_CLI_HELP_H

#include "cli/cli.h"

/* What somebody sees who types only "salvor". */
char *slv_help_short(void);

/* salvor --help */
char *slv_help_all(void);

/* salvor COMMAND --help */
char *slv_help_command(const struct slv_command *);

#endif
