/* offline.c - commands that read no logs, but what was told of some. */
#include "cli/output/offline.h"

#include "cli/output/confine.h"

enum slv_status
slv_offline_confine(const struct slv_args *args, struct slv_err *err)
{
	const struct slv_guard_job job = {
		.files = args->operands,
		.n_files = args->n_operands,
		.plain = true,
		.report = args->report,
		.html = args->html,
		.journal = args->batch.merged,
	};

	return slv_confine(args, &job, err);
}
