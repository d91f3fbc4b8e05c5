/* cmd_export.c - salvor export and salvor extract: records of logs, in another format
 * or in the same one. */
#include <unistd.h>

#include "cli/files/files.h"
#include "cli/files/folders.h"
#include "cli/terminal/term.h"

/* Why the arguments do not go together; NULL: they do.
 *
 *   joins  several logs can have one output */
static const char *
conflict(const struct slv_args *a, bool joins)
{
	const struct slv_options *job = &a->job;

	if (job->output == NULL && job->output_dir == NULL)
		return "-o OUT or -d DIR is required";
	if (job->output != NULL && job->output_dir != NULL)
		return "-o and -d exclude each other";
	if (job->output != NULL && a->n_operands > 1 && !joins)
		return "-o takes exactly one FILE; use -d DIR for several, or "
		       "join segments with extract first";
	if (slv_files_is_standard(job->output) && a->json)
		return "standard output cannot hold both the records (-o -) "
		       "and --json";
	return NULL;
}

/* A folder says nothing about a format, and neither does standard output. */
static void
choose_format(struct slv_args *a)
{
	if (a->job.output == NULL || slv_files_is_standard(a->job.output))
		a->job.to = a->job.to != NULL ? a->job.to : "mcap";
}

static int
run(struct slv_args *args, const char *command, const struct slv_treatment *how)
{
	struct slv_err err = { .code = SLV_OK };
	const char *why = conflict(args, how->all != NULL);

	if (why != NULL) {
		err.code = SLV_E_USAGE;
		snprintf(err.text, sizeof(err.text), "%s", why);
		return slv_files_refuse(args, command, &err);
	}
	if (slv_files_is_standard(args->job.output)) {
		/* The same by its own name. */
		args->job.output = "-";
		if (!args->job.dry_run && isatty(STDOUT_FILENO)) {
			slv_term_error("%s: records are not written to a "
			               "terminal (-o -); redirect it",
			    command);
			return SLV_EXIT_TROUBLE;
		}
	}
	if (how->all == NULL
	    && slv_repair_check((const char *const *)args->operands,
	           args->n_operands, &args->job, &err)
	        != SLV_OK)
		return slv_files_refuse(args, command, &err);
	return slv_files_run(args, how);
}

/* Folders mean the logs in them.
 *
 *   joining  for several logs with one output; NULL: that cannot be */
static int
run_all(struct slv_args *args, const char *command,
    const struct slv_treatment *one, const struct slv_treatment *joining)
{
	struct slv_folders folders = { .n = 0 };
	struct slv_err err = { .code = SLV_OK };
	int code;

	if (slv_folders_expand(&folders, args, &err) != SLV_OK) {
		code = slv_files_refuse(args, command, &err);
	} else {
		bool joins = joining != NULL && args->job.output != NULL
		    && args->n_operands > 1;

		code = run(args, command, joins ? joining : one);
	}
	slv_folders_free(&folders);
	return code;
}

int
slv_cmd_export(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.job = slv_export,
		.page = SLV_PAGE_PLAN,
		.repairs = true,
	};

	choose_format(args);
	return run_all(args, "export", &how, NULL);
}

int
slv_cmd_extract(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.job = slv_extract,
		.page = SLV_PAGE_PLAN,
		.repairs = true,
		.spools = true,
	};
	static const struct slv_treatment joining = {
		.all = slv_join,
		.page = SLV_PAGE_PLAN,
		.repairs = true,
		.spools = true,
	};

	return run_all(args, "extract", &how, &joining);
}
