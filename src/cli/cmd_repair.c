/* cmd_repair.c - salvor repair: write what can be saved. */
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/term.h"

int
slv_cmd_repair(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.job = slv_repair,
		.page = SLV_PAGE_PLAN,
	};
	const char *output = args->job.output;

	if (output != NULL && args->n_operands > 1) {
		slv_term_error("repair: one output (-o) cannot hold %zu "
		               "inputs",
		    args->n_operands);
		return SLV_EXIT_USAGE;
	}
	if (output != NULL && strcmp(output, "-") == 0) {
		if (args->json) {
			slv_term_error("repair: standard output cannot carry "
			               "both the log (-o -) and --json");
			return SLV_EXIT_USAGE;
		}
		if (!args->job.dry_run && isatty(STDOUT_FILENO)) {
			slv_term_error("repair: not writing a log to a "
			               "terminal (-o -); redirect it");
			return SLV_EXIT_TROUBLE;
		}
	}
	return slv_files_run(args, &how);
}
