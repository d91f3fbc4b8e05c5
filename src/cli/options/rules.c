/* rules.c - the rules of a policy, as the command line gives them. */
#include "cli/options/rules.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cli/signals.h"

bool
slv_rules_add(struct slv_rules_given *all, const char *name, const char *value)
{
	struct slv_policy *alone = NULL;
	struct slv_err err = { 0 };

	if (name != NULL)
		slv_policy_add(&alone, name, value, &err);
	slv_policy_free(alone);
	if (err.code != SLV_OK
	    || slv_grow(&all->at, &all->cap, all->n + 1, sizeof(*all->at), &err)
	        != SLV_OK)
		return false;
	all->at[all->n].name = name;
	all->at[all->n++].value = value;
	return true;
}

size_t
slv_rules_files(const struct slv_args *args, char **files)
{
	size_t n = 0;

	for (size_t i = 0; i < args->rules.n; i++) {
		if (args->rules.at[i].name != NULL)
			continue;
		if (files != NULL)
			files[n] = (char *)(uintptr_t)args->rules.at[i].value;
		n++;
	}
	return n;
}

enum slv_status
slv_rules_read(struct slv_args *args, struct slv_err *err)
{
	for (size_t i = 0; i < args->rules.n && err->code == SLV_OK; i++) {
		const char *name = args->rules.at[i].name;
		const char *value = args->rules.at[i].value;

		if (name != NULL)
			slv_policy_add(&args->policy, name, value, err);
		else
			slv_policy_read(&args->policy, value, &slv_signal, err);
	}
	/* A file that cannot be read is a mistake on the command line, too. */
	if (err->code != SLV_OK && err->code != SLV_E_NOMEM)
		err->code = SLV_E_USAGE;
	args->job.policy = args->policy;
	return err->code;
}

void
slv_rules_free(struct slv_args *args)
{
	slv_policy_free(args->policy);
	slv_free(args->rules.at);
}
