/* offline.c - commands that read no logs, but what was told of some. */
#include "cli/offline.h"

#include "guard/guard.h"

void
slv_offline_confine(const struct slv_args *args)
{
	const struct slv_guard_job job = {
		.files = args->operands,
		.n_files = args->n_operands,
		.plain = true,
		.report = args->report,
		.html = args->html,
		.journal = args->batch.merged,
	};

	if (!args->no_sandbox)
		slv_guard_start(&job);
}
