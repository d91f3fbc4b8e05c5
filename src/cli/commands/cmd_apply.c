/* cmd_apply.c - salvor apply: carry out a plan on another copy of the log. */
#include <string.h>
#include <unistd.h>

#include "base/text/hex.h"
#include "batch/workers/memory.h"
#include "cli/files/files.h"
#include "cli/output/confine.h"
#include "cli/output/reach.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"

/* The sandbox: the plan and the log are read, the output is made. */
static enum slv_status
confine(struct slv_args *args, struct slv_err *err)
{
	const char *output = args->job.output;
	bool named = strcmp(output, "-") != 0;
	struct slv_carries carries = { 0 };
	struct slv_buf dir = { 0 };
	char *folder;
	struct slv_guard_job job = {
		.files = args->operands,
		.n_files = 2,
		.plain = true,
		.report = named && !args->job.dry_run ? output : NULL,
		.trees = &folder,
		.n_trees = named && args->job.dry_run,
		.carries = &carries,
	};

	/* What is there is compared. */
	slv_reach_directory(&dir, output);
	folder = slv_buf_take(&dir);
	if (folder == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_carries_add(&carries, args->operands[1]);
	(void)slv_confine(args, &job, err);
	slv_free(folder);
	return err->code;
}

static bool
tell(const struct slv_args *args, const struct slv_applied *done)
{
	FILE *people = slv_files_people(args);
	char hex[SLV_HEX(sizeof(done->sha256))];
	const char *what = done->already ? "has these bytes already"
	    : args->job.dry_run          ? "would be written"
	                                 : "written";
	struct slv_buf text = { 0 };
	char *safe = slv_escape(args->job.output);

	if (args->quiet > 0 || safe == NULL) {
		slv_free(safe);
		return args->quiet > 0;
	}
	slv_hex(hex, done->sha256, sizeof(done->sha256));
	slv_buf_printf(&text, "%s: %s, %llu bytes; SHA-256 as planned: %s",
	    strcmp(safe, "-") == 0 ? "standard output" : safe, what,
	    (unsigned long long)done->size, hex);
	if (done->report && !args->job.dry_run)
		slv_buf_printf(&text, "; loss report: %s.salvor.json", safe);
	slv_free(safe);
	return slv_term_line(people, slv_buf_take(&text));
}

int
slv_cmd_apply(struct slv_args *args)
{
	struct slv_applied done = { .size_of = sizeof(done) };
	struct slv_err err = { 0 };

	args->job.output = args->operands[2];
	if (slv_files_is_standard(args->job.output)) {
		/* The same by its own name. */
		args->job.output = "-";
		if (!args->job.dry_run && isatty(STDOUT_FILENO)) {
			slv_term_error("apply: a log is not written to a "
			               "terminal; redirect it");
			return SLV_EXIT_TROUBLE;
		}
	}
	if (args->job.limits.max_memory == 0)
		args->job.limits.max_memory = slv_memory_default();
	slv_memory_bound(args->job.limits.max_memory);
	args->job.cancel = &slv_signal;
	if (confine(args, &err) == SLV_OK)
		slv_apply(args->operands[0], args->operands[1], &args->job,
		    &done, &err);
	if (err.code != SLV_OK) {
		slv_term_error("%s", err.text);
		return (int)slv_exit_of_status(err.code);
	}
	return tell(args, &done) ? SLV_EXIT_SOUND : SLV_EXIT_TROUBLE;
}
