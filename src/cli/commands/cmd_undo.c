/* cmd_undo.c - salvor undo: undo a repair in place. */
#include "cli/files/files.h"
#include "cli/terminal/term.h"

int
slv_cmd_undo(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.job = slv_undo,
		.page = SLV_PAGE_BRIEF,
		.describing = true,
		.repairs = true,
		.beside = ".salvor-undo", /* docs/undo-record.md */
		.none = "nothing to undo: no file there has an undo record",
	};

	if (args->job.undo_file != NULL && args->n_operands > 1) {
		slv_term_error(
		    "undo: --undo-file takes exactly one FILE, not %zu",
		    args->n_operands);
		return SLV_EXIT_USAGE;
	}
	args->job.in_place = true;
	return slv_files_run(args, &how);
}
