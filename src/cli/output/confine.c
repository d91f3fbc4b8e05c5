/* confine.c - the sandbox, as the command line asks for it. */
#include "cli/output/confine.h"

static enum slv_status
refuse(struct slv_err *err)
{
	char sandbox[SLV_GUARD_TEXT];

	slv_guard_describe(sandbox);
	return slv_fail(err, SLV_E_USAGE,
	    "--require-sandbox: the whole sandbox is not available here (%s); "
	    "nothing was read",
	    sandbox);
}

enum slv_status
slv_confine_check(const struct slv_args *args, struct slv_err *err)
{
	if (!args->require_sandbox)
		return SLV_OK;
	if (args->no_sandbox)
		return slv_fail(err, SLV_E_USAGE,
		    "--require-sandbox and --no-sandbox exclude each other");
	return slv_guard_is_possible() ? SLV_OK : refuse(err);
}

enum slv_status
slv_confine(const struct slv_args *args, const struct slv_guard_job *job,
    struct slv_err *err)
{
	SLV_TRY(slv_confine_check(args, err));
	if (args->no_sandbox)
		return SLV_OK;
	slv_guard_start(job);
	return args->require_sandbox && !slv_guard_is_whole() ? refuse(err)
	                                                      : SLV_OK;
}
