/* option.h - what an option is: one row of a table.
 *
 * The command line, its help, the completions, the manual and the names that
 * slv_options_set() takes all come from these rows.  Those in table.c set a
 * member of struct slv_options; those that only a program can have (workers,
 * journals, text on a terminal) are in cli/options/options.c.
 */
#ifndef SLV_OPTIONS_OPTION_H
#define SLV_OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>

/* The commands, as bits: an option names those that take it. */
enum {
	SLV_CMD_REPAIR = 1 << 0,
	SLV_CMD_VERIFY = 1 << 1,
	SLV_CMD_INFO = 1 << 2,
	SLV_CMD_LIST = 1 << 3,
	SLV_CMD_EXPLAIN = 1 << 4,
	SLV_CMD_NONE = 1 << 5, /* salvor --help */
	SLV_CMD_LOOK = 1 << 6, /* salvor and only files */
	SLV_CMD_UNDO = 1 << 7,
	SLV_CMD_MERGE = 1 << 8,
	SLV_CMD_REPORT = 1 << 9,
	SLV_CMD_COLLECT = 1 << 10,
	SLV_CMD_EXPORT = 1 << 11,
	SLV_CMD_EXTRACT = 1 << 12,
	SLV_CMD_APPLY = 1 << 13,
};

/* Some of them together, as the rows need them. */
#define SLV_CMDS_AUDIT  (SLV_CMD_VERIFY | SLV_CMD_LOOK)
#define SLV_CMDS_WRITE  (SLV_CMD_REPAIR | SLV_CMD_MERGE)
#define SLV_CMDS_CHANGE (SLV_CMD_REPAIR | SLV_CMD_UNDO)
#define SLV_CMDS_HASH   (SLV_CMDS_WRITE | SLV_CMDS_AUDIT | SLV_CMD_INFO)
#define SLV_CMDS_READ   (SLV_CMDS_HASH | SLV_CMD_LIST)
#define SLV_CMDS_CHOOSE (SLV_CMD_EXPORT | SLV_CMD_EXTRACT)

/* What an option is about: under such a heading help and manual have it. */
enum slv_group {
	SLV_GROUP_OUTPUT = 1, /* 0: a row that was forgotten */
	SLV_GROUP_CHOICE,
	SLV_GROUP_SALVAGE,
	SLV_GROUP_RULES,
	SLV_GROUP_BATCH,
	SLV_GROUP_REPORTS,
	SLV_GROUP_LIMITS,
	SLV_GROUP_PROGRAM,
	SLV_GROUPS
};

struct slv_option {
	const char *name;     /* long name without dashes */
	char letter;          /* '\0': none */
	const char *argument; /* as help shows it; NULL: it takes none */
	enum slv_group group;
	unsigned commands; /* SLV_CMD_* that take it */
	unsigned common;   /* those of which it is one of the ten options that
	                    * most people need */
	const struct slv_option_type *type; /* options/types.h */
	size_t at;        /* what it sets: in struct slv_options, or slv_args */
	const char *help; /* a few words: at most SLV_OPTION_HELP bytes */

	/* What few rows need. */
	bool decides;  /* a log that was done without it has to be done again */
	unsigned bare; /* commands of which it takes no argument */
	bool may_lack; /* the argument, which then is only given as
	                * --name=argument */
};

#define SLV_OPTION_HELP 54 /* what a line of 80 columns has room for */

/* The options of the library, in groups. */
extern const struct slv_option slv_job_options[];
extern const size_t slv_n_job_options;

/* The one of that name; NULL: none. */
const struct slv_option *slv_job_option(const char *name);

#endif
