/* cmd_info.c - salvor info: describe a log, damaged or not. */
#include "cli/files/files.h"

int
slv_cmd_info(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.name = "info",
		.job = slv_info,
		.page = SLV_PAGE_INFO,
		.describing = true,
	};

	return slv_files_run(args, &how);
}
