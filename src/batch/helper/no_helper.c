/* no_helper.c - for systems that cannot start programs. */
#include "batch/helper/helper.h"

enum slv_status
slv_helper_start(const struct slv_helper_command *command,
    struct slv_helper **out, struct slv_err *err)
{
	*out = NULL;
	return slv_fail(err, SLV_E_USAGE,
	    "--read-helper: no program can be started here (%s)",
	    command->command);
}

/* There is no helper, so these have nothing to do. */
const struct slv_input *
slv_helper_input(const struct slv_helper *helper)
{
	(void)helper;
	return NULL;
}

const char *
slv_helper_trouble(const struct slv_helper *helper)
{
	(void)helper;
	return NULL;
}

void
slv_helper_close(struct slv_helper *helper)
{
	(void)helper;
}
