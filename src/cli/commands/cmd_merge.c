/* cmd_merge.c - salvor merge: one log of several copies. */
#include <string.h>
#include <unistd.h>

#include "cli/files/files.h"
#include "cli/terminal/term.h"

/* Why the arguments are invalid; NULL: they are valid. */
static const char *
conflict(const struct slv_args *a, bool piped)
{
	if (a->job.output == NULL)
		return "-o OUT is required";
	if (a->n_operands < 2 && a->job.fill == NULL)
		return "needs at least two FILEs, or --fill=FILE";
	if (piped && a->json)
		return "standard output cannot hold both the log (-o -) and "
		       "--json";
	return NULL;
}

int
slv_cmd_merge(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.all = slv_merge,
		.page = SLV_PAGE_PLAN,
		.repairs = true,
	};
	bool piped =
	    args->job.output != NULL && strcmp(args->job.output, "-") == 0;
	const char *why = conflict(args, piped);

	if (why != NULL) {
		slv_term_error("merge: %s", why);
		return SLV_EXIT_USAGE;
	}
	if (piped && !args->job.dry_run && isatty(STDOUT_FILENO)) {
		slv_term_error("merge: a log is not written to a terminal "
		               "(-o -); redirect it");
		return SLV_EXIT_TROUBLE;
	}
	return slv_files_run(args, &how);
}
