/* files.h - one job for every file, or for all, and what is printed about it.
 *
 * One bad file does not stop the others; a signal does.
 */
#ifndef SLV_CLI_FILES_H
#define SLV_CLI_FILES_H

#include <stdio.h>

#include "cli/cli.h"

/* How a command treats its files. */
struct slv_treatment {
	/* Of the command, in a journal; NULL: it has none, and no workers. */
	const char *name;
	enum slv_status (*job)(const char *file, const struct slv_options *,
	    struct slv_report **out);
	/* Or one job for all of them; NULL: one for each. */
	enum slv_status (*all)(const char *const *files, size_t n,
	    const struct slv_options *, struct slv_report **out);
	enum slv_page page; /* what people see */
	bool describing;    /* damage is no failure */
	bool next;          /* say what to do next */
	bool repairs;       /* there may be outputs */
	bool spools;        /* ... that need a temporary, wherever they go */
	bool aside;         /* the page goes to standard error always */

	/* Without workers: the files below a folder that count, as in struct
	 * slv_find_rules, and what to say where there are none. */
	const char *beside, *none; /* NULL: it is an error that there are
	                            * none */
};

/* Whether this output is standard output, by whatever name. */
bool slv_files_is_standard(const char *output);

/* Say why nothing is done, also as JSON: a reader of JSON gets an object, whatever
 * happens, but not if an output may have been requested there.  Returns the exit
 * code. */
int slv_files_refuse(
    const struct slv_args *, const char *command, const struct slv_err *);

/* Where text for people goes. */
FILE *slv_files_people(const struct slv_args *);

/* Returns the exit codes of all files, ORed. */
int slv_files_run(struct slv_args *, const struct slv_treatment *);

#endif
