/* cmd_verify.c - salvor verify: audit everything, write nothing.
 *
 * One file's findings are explained on the spot; those of many only with -v.
 * salvor FILE... is the same, never explained without -v, and with a last line
 * that says what to do next.
 */
#include "cli/batch/batch.h"

int
slv_cmd_verify(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.name = "verify",
		.job = slv_verify,
		.page = SLV_PAGE_BRIEF,
	};

	args->verbose |= args->n_operands == 1 && !slv_batch_is(args);
	return slv_files_run(args, &how);
}

int
slv_cmd_look(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.name = "verify",
		.job = slv_verify,
		.page = SLV_PAGE_BRIEF,
		.next = true,
	};

	return slv_files_run(args, &how);
}
