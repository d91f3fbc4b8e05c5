/* cmd_verify.c - salvor verify: audit everything, write nothing.
 *
 * salvor FILE... is the same.
 */
#include "cli/batch/batch.h"

int
slv_cmd_verify(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.name = "verify",
		.job = slv_verify,
		.page = SLV_PAGE_BRIEF,
		.next = true,
	};

	return slv_files_run(args, &how);
}
