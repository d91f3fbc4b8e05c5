/* set.c - slv_options_set(): an option by its name. */
#include "options/option.h"

#include "base/status.h"
#include "options/types.h"

enum slv_status
slv_options_set(struct slv_options *options, const char *name,
    const char *value, struct slv_err *err)
{
	const struct slv_option *o = slv_job_option(name);
	const char *must;

	if (o == NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "there is no option \"%s\"", name);
	must = o->argument != NULL ? o->argument : "yes|no";
	if (o->argument != NULL && value == NULL)
		return slv_fail(
		    err, SLV_E_USAGE, "\"%s\" needs a value: %s", name, must);
	if (o->type->store((uint8_t *)options + o->at, value))
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE, "\"%s=%s\" is not valid; use %s=%s",
	    name, value, name, must);
}
