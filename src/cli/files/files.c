/* files.c - one job for every file, or for all, and what is printed about it. */
#include "cli/files/files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/bytes.h"
#include "batch/helper/helper.h"
#include "batch/workers/memory.h"
#include "cli/batch/batch.h"
#include "cli/files/bags.h"
#include "cli/files/each.h"
#include "cli/files/next.h"
#include "cli/files/same.h"
#include "cli/files/told.h"
#include "cli/options/rules.h"
#include "cli/output/confine.h"
#include "cli/output/records.h"
#include "cli/signals.h"
#include "cli/terminal/clock.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/term.h"
#include "cli/terminal/throttle.h"
#include "salvor_many.h"

bool
slv_files_is_standard(const char *output)
{
	struct stat named, own;

	if (output == NULL || strcmp(output, "-") == 0)
		return output != NULL;
	/* A device such as /dev/null can be both: it keeps nothing. */
	return stat(output, &named) == 0 && fstat(STDOUT_FILENO, &own) == 0
	    && !S_ISCHR(named.st_mode) && slv_same_stat(&named, &own);
}

FILE *
slv_files_people(const struct slv_args *args)
{
	return args->json || slv_files_is_standard(args->job.output) ? stderr
	                                                             : stdout;
}

int
slv_files_refuse(
    const struct slv_args *a, const char *command, const struct slv_err *err)
{
	slv_term_error("%s: %s", command, err->text);
	if (a->json && !slv_files_is_standard(a->job.output)
	    && !slv_term_line(stdout, slv_error_json(NULL, err)))
		return SLV_EXIT_TROUBLE;
	return err->code == SLV_E_USAGE ? SLV_EXIT_USAGE : SLV_EXIT_TROUBLE;
}

static const char *
temporary(void)
{
	const char *dir = getenv("TMPDIR");

	return dir != NULL && *dir != '\0' ? dir : NULL;
}

/* From here on no log can make this process open a file that was not named. */
static enum slv_status
confine(
    struct slv_args *args, const struct slv_treatment *how, struct slv_err *err)
{
	size_t n_rules = slv_rules_files(args, NULL);
	char **others = slv_calloc(
	    n_rules + slv_bags_metadata(args->bags, NULL) + 1, sizeof(*others));
	struct slv_guard_job job = {
		.files = args->operands,
		.n_files = args->n_operands,
		.opt = &args->job,
		.repairs = how->repairs,
		.spools = how->spools,
		.report = args->report,
		.sums = args->sums,
		.html = args->html,
		.junit = args->junit,
		.metrics = args->metrics,
		.others = others,
	};
	enum slv_status st;

	if (others == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	job.n_others = slv_rules_files(args, others);
	job.n_others += slv_bags_metadata(args->bags, others + n_rules);
	st = slv_confine(args, &job, err);
	slv_free(others);
	return st == SLV_OK ? slv_rules_read(args, err) : st;
}

/* These options are about one file. */
static bool
check_maps(const struct slv_args *args)
{
	const char *name = args->job.mapfile != NULL ? "mapfile"
	    : args->job.domain_mapfile != NULL       ? "domain-mapfile"
	    : args->job.plan_out != NULL             ? "plan-out"
	    : args->read_helper != NULL              ? "read-helper"
	                                             : NULL;

	if (name == NULL || (args->n_operands == 1 && args->each == NULL))
		return true;
	slv_term_error(
	    "--%s takes exactly one FILE, not %zu", name, args->n_operands);
	return false;
}

/* Start the program that reads the log, before the sandbox comes up. */
static enum slv_status
start_helper(
    struct slv_args *args, struct slv_helper **helper, struct slv_err *err)
{
	struct slv_helper_command command = {
		.command = args->read_helper,
		.seconds = (unsigned)slv_min64(args->read_timeout, UINT_MAX),
		.cancel = &slv_signal,
	};

	/* Without a helper there may be no operand: a bag can be without files. */
	*helper = NULL;
	if (args->read_helper == NULL)
		return SLV_OK;
	command.file = args->operands[0];
	SLV_TRY(slv_helper_start(&command, helper, err));
	slv_options_input_call(&args->job, slv_helper_input(*helper));
	return SLV_OK;
}

/* Report what is wrong with the helper, if anything is, and end it. */
static void
end_helper(struct slv_helper *helper)
{
	const char *why = helper != NULL ? slv_helper_trouble(helper) : NULL;

	if (why != NULL)
		slv_term_error("--read-helper: %s", why);
	slv_helper_close(helper);
}

/* Do the job for operand i, or for all of them. */
static void
start(const struct slv_args *args, const struct slv_treatment *how, size_t i,
    struct slv_report **out)
{
	struct slv_options opt = args->job;

	opt.found =
	    slv_bags_have(args->bags, i) || slv_each_found(args->each, i);
	if (how->all != NULL)
		how->all((const char *const *)args->operands, args->n_operands,
		    &args->job, out);
	else
		how->job(args->operands[i], &opt, out);
}

/* Report the result for operand i; returns the exit code. */
static int
tell(const struct slv_args *args, const struct slv_treatment *how, size_t i,
    const struct slv_report *r, double seconds)
{
	size_t end = how->all != NULL ? args->n_operands : i + 1;
	struct slv_told told;
	int code;

	/* If the reader of standard output has gone, report no failure. */
	if (r != NULL && slv_report_status(r) == SLV_E_IO
	    && slv_files_is_standard(args->job.output))
		slv_term_look();
	slv_told_make(&told, args, how, args->operands[i], r);
	slv_throttle_file(args->throttle, told.totals.size);
	if (slv_each_leaves(args->each, i, &told)) {
		slv_told_free(&told);
		return SLV_EXIT_SOUND;
	}
	told.seconds = seconds;
	code = told.code;
	if (!slv_told_say(&told, args))
		code |= SLV_EXIT_TROUBLE;
	if (r == NULL)
		return code;
	for (; i < end && slv_report_status(r) == SLV_E_IO; i++) {
		if (slv_guard_refuses(args->operands[i]))
			slv_term_error("%s: was put there after salvor began; "
			               "run it again",
			    args->operands[i]);
	}
	return code;
}

int
slv_files_run(struct slv_args *args, const struct slv_treatment *how)
{
	size_t n = how->all != NULL ? 1 : args->n_operands;
	int code;
	struct slv_next_line next = { .n_undo = 0 };
	struct slv_watch watch;
	struct slv_throttle throttle;
	char *line;
	struct slv_run_files records;
	struct slv_err err = { 0 };
	struct slv_helper *helper;

	args->job.temp_dir = temporary();
	if (slv_batch_is(args) && how->name != NULL)
		return slv_batch_run(args, how);
	if (args->job.limits.max_memory == 0)
		args->job.limits.max_memory = slv_memory_default();
	if (slv_batch_is(args))
		return slv_each_run(args, how);
	if (!check_maps(args))
		return SLV_EXIT_USAGE;
	if (start_helper(args, &helper, &err) != SLV_OK)
		return slv_batch_refuse(args, &err);
	slv_memory_bound(args->job.limits.max_memory);
	if (confine(args, how, &err) != SLV_OK) {
		slv_helper_close(helper);
		return slv_batch_refuse(args, &err);
	}
	code = (int)slv_records_open(&records, args);
	if (code != SLV_EXIT_SOUND) {
		slv_helper_close(helper);
		return code;
	}
	args->job.cancel = &slv_signal;
	args->job.on_progress = slv_watch_progress;
	args->job.on_progress_ctx = &watch;
	slv_throttle_begin(&throttle, args, 1);
	if (args->job.domain_mapfile != NULL)
		slv_next_option(
		    &next, "domain-mapfile", args->job.domain_mapfile);
	slv_watch_begin(&watch, n, args);
	for (size_t i = 0; i < n && slv_signal == 0; i++) {
		struct slv_report *r = NULL;

		struct timespec from = slv_clock();

		slv_watch_file(&watch, args->operands[i]);
		start(args, how, i, &r);
		code |=
		    tell(args, how, i, r, slv_clock_seconds(from, slv_clock()));
		slv_bags_add(args->bags, args, how, i, r);
		if (r != NULL && how->next)
			slv_next_add(&next, r);
		slv_report_free(r);
	}
	end_helper(helper);
	if (slv_signal == 0)
		code |= slv_records_sets(&records)
		    | slv_each_end(args->each, how, &records);
	if (slv_signal == 0)
		code |= slv_bags_end(args->bags, args, how, &records);
	line = slv_next_take(&next, slv_term_width(slv_files_people(args)));
	if (line == NULL
	    || (args->quiet < 2 && fputs(line, slv_files_people(args)) < 0))
		code |= SLV_EXIT_TROUBLE;
	slv_free(line);
	if (!slv_records_close(&records, n - slv_each_left(args->each)))
		code |= SLV_EXIT_TROUBLE;
	return code;
}
