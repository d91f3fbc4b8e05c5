/* cmd_repair.c - salvor repair: write what can be recovered. */
#include <stdio.h>
#include <unistd.h>

#include "cli/batch/batch.h"
#include "cli/terminal/term.h"

/* Why the arguments do not go together; NULL: they do. */
static const char *
conflict(const struct slv_args *a)
{
	const struct slv_options *job = &a->job;

	if (job->output != NULL && job->output_dir != NULL)
		return "-o and -d exclude each other";
	if (job->in_place && (job->output != NULL || job->output_dir != NULL))
		return "--in-place excludes -o and -d";
	if (!job->in_place && (job->undo_file != NULL || job->discard_undo))
		return "--undo-file and --discard-undo need --in-place";
	if (!job->in_place && job->quick)
		return "--quick needs --in-place: a copy reads everything";
	if (job->undo_file != NULL && a->n_operands > 1)
		return "--undo-file takes exactly one FILE";
	if (job->in_place && a->read_helper != NULL)
		return "--in-place needs the file itself, and excludes "
		       "--read-helper";
	if (job->copy_intact && job->output_dir == NULL)
		return "--copy-intact needs -d DIR";
	if (job->output != NULL && a->n_operands > 1)
		return "-o takes exactly one FILE; use -d DIR for several";
	if (slv_files_is_standard(job->output) && a->json)
		return "standard output cannot hold both the log (-o -) and "
		       "--json";
	return NULL;
}

/* Returns the exit code, SLV_EXIT_SOUND if nothing is wrong. */
static int
check_targets(const struct slv_args *a)
{
	struct slv_err err = { 0 };

	if (slv_repair_check(
	        (const char *const *)a->operands, a->n_operands, &a->job, &err)
	    == SLV_OK)
		return SLV_EXIT_SOUND;
	return slv_files_refuse(a, "repair", &err);
}

int
slv_cmd_repair(struct slv_args *args)
{
	const struct slv_treatment how = {
		.name = "repair",
		.job = slv_repair,
		.page = SLV_PAGE_PLAN,
		.repairs = true,
		.next = args->job.in_place,
	};
	const char *output = args->job.output, *why = conflict(args);
	int code;

	if (why != NULL) {
		struct slv_err err = { .code = SLV_E_USAGE };

		snprintf(err.text, sizeof(err.text), "%s", why);
		return slv_files_refuse(args, "repair", &err);
	}
	if (slv_files_is_standard(output)) {
		/* The same by its own name. */
		args->job.output = "-";
		if (!args->job.dry_run && isatty(STDOUT_FILENO)) {
			slv_term_error("repair: a log is not written to a "
			               "terminal (-o -); redirect it");
			return SLV_EXIT_TROUBLE;
		}
	}
	code = slv_batch_is(args) ? SLV_EXIT_SOUND : check_targets(args);
	return code == SLV_EXIT_SOUND ? slv_files_run(args, &how) : code;
}
