/* offline.c - commands that read no logs, but what was told of some. */
#include "cli/output/offline.h"

#include <string.h>

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
		.journal = args->job.output,
	};

	if (args->job.output != NULL && strcmp(args->job.output, "-") == 0)
		return slv_fail(err, SLV_E_USAGE,
		    "-o must name a file, not standard output");
	return slv_confine(args, &job, err);
}
