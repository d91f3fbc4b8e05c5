/* cli.h - what a command is.
 *
 * A command is a row of the table in commands.c and a function; what it shares
 * with the others is in opts.h (options), files.h (one job for every file),
 * exitcode.h and term.h.
 */
#ifndef SLV_CLI_CLI_H
#define SLV_CLI_CLI_H

#include "cli/exitcode.h"
#include "cli/options/opts.h"
#include "options/option.h"

#define SLV_EXAMPLES 3

/* A command line, and a few words about it. */
struct slv_example {
	const char *line; /* NULL: no more */
	const char *words;
};

struct slv_command {
	const char *name;
	unsigned bit;         /* SLV_CMD_* */
	const char *operands; /* as --help shows them: "FILE..." */
	size_t least, most;   /* operands */
	const char *summary;  /* a few words, for the list of commands */
	const char *about;    /* a paragraph */
	bool common;          /* one of the four that most people need */
	struct slv_example examples[SLV_EXAMPLES];

	/* Do it.  Returns the program's exit code, SLV_EXIT_* ORed. */
	int (*run)(struct slv_args *);
};

/* Row i, or NULL past the end. */
const struct slv_command *slv_command_at(size_t i);

/* The row of that name, or NULL. */
const struct slv_command *slv_command_named(const char *name);

/* The command if none is named: salvor FILE... */
const struct slv_command *slv_command_look(void);

int slv_cmd_repair(struct slv_args *);
int slv_cmd_merge(struct slv_args *);
int slv_cmd_verify(struct slv_args *);
int slv_cmd_info(struct slv_args *);
int slv_cmd_list(struct slv_args *);
int slv_cmd_explain(struct slv_args *);
int slv_cmd_report(struct slv_args *);
int slv_cmd_collect(struct slv_args *);
int slv_cmd_undo(struct slv_args *);
int slv_cmd_export(struct slv_args *);
int slv_cmd_extract(struct slv_args *);
int slv_cmd_apply(struct slv_args *);

#endif
