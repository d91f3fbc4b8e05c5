/* bags.c - folders of ROS 2 on the command line. */
#include "cli/files/bags.h"
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "batch/ros2/bag.h"
#include "cli/batch/batch.h"
#include "cli/signals.h"
#include "cli/terminal/quote.h"
#include "cli/terminal/term.h"
#include "salvor_many.h"

/* What became of a bag. */
struct bag {
	struct slv_bag it;
	char *metadata; /* owned; its path */
	size_t from;    /* operand of its first file */
	bool failed;    /* a file could not be judged, or not be written */
	struct slv_err err;
};

struct slv_bags {
	struct bag *at; /* owned */
	size_t n, cap;
	char **operands; /* owned; the files of bags, and what was named */
	size_t n_operands, cap_operands;
};

static bool
is_bag(const struct slv_args *args, size_t i)
{
	return !args->batch.recursive && strcmp(args->operands[i], "-") != 0
	    && slv_bag_is(args->operands[i]);
}

static enum slv_status
put(struct slv_bags *bags, char *operand, struct slv_err *err)
{
	SLV_TRY(slv_grow(&bags->operands, &bags->cap_operands,
	    bags->n_operands + 1, sizeof(*bags->operands), err));
	bags->operands[bags->n_operands++] = operand;
	return SLV_OK;
}

static enum slv_status
open_bag(struct slv_bags *bags, const char *folder, struct slv_err *err)
{
	struct bag *bag;

	SLV_TRY(slv_grow(
	    &bags->at, &bags->cap, bags->n + 1, sizeof(*bags->at), err));
	bag = &bags->at[bags->n++];
	*bag =
	    (struct bag){ .it.cancel = &slv_signal, .from = bags->n_operands };
	SLV_TRY(slv_bag_open(&bag->it, folder, err));
	bag->metadata = slv_bag_path(&bag->it, SLV_BAG_METADATA);
	if (bag->metadata == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < bag->it.n_files; i++)
		SLV_TRY(put(bags, bag->it.files[i].path, err));
	return SLV_OK;
}

static enum slv_status
open_all(struct slv_bags *bags, const struct slv_args *args, size_t *n,
    struct slv_err *err)
{
	for (size_t i = 0; i < args->n_operands; i++)
		SLV_TRY(is_bag(args, i) ? open_bag(bags, args->operands[i], err)
		                        : put(bags, args->operands[i], err));
	*n = bags->n;
	return SLV_OK;
}

/* Why the arguments do not go together; NULL: they do. */
static const char *
conflict(const struct slv_command *c, const struct slv_args *args)
{
	const struct slv_options *job = &args->job;

	if (slv_batch_is(args))
		return "a bag of ROS 2 is one job, without -j, --journal and "
		       "other options of a batch; with -r each log is one";
	if (c->bit != SLV_CMD_REPAIR)
		return NULL;
	if (job->output != NULL)
		return "-o takes exactly one FILE; use -d DIR for a bag of "
		       "ROS 2";
	if (job->output_dir == NULL && !job->in_place)
		return "a bag of ROS 2 is repaired with -d DIR or --in-place";
	return NULL;
}

static int
run_all(
    const struct slv_command *c, struct slv_args *args, struct slv_bags *bags)
{
	const char *why = conflict(c, args);
	struct slv_err err = { 0 };

	if (why != NULL) {
		slv_fail(&err, SLV_E_USAGE, "%s", why);
		return slv_batch_refuse(args, &err);
	}
	args->operands = bags->operands;
	args->n_operands = bags->n_operands;
	args->bags = bags;
	/* The new folder is the whole bag. */
	args->job.copy_intact |= args->job.output_dir != NULL;
	return c->run(args);
}

static void
release(struct slv_bags *bags)
{
	for (size_t i = 0; i < bags->n; i++) {
		slv_bag_free(&bags->at[i].it);
		slv_free(bags->at[i].metadata);
	}
	slv_free(bags->at);
	slv_free(bags->operands);
}

size_t
slv_bags_metadata(const struct slv_bags *bags, char **out)
{
	size_t n = bags != NULL ? bags->n : 0;

	for (size_t i = 0; out != NULL && i < n; i++)
		out[i] = bags->at[i].metadata;
	return n;
}

int
slv_bags_run(const struct slv_command *c, struct slv_args *args)
{
	const unsigned judging =
	    SLV_CMD_VERIFY | SLV_CMD_INFO | SLV_CMD_REPAIR | SLV_CMD_LOOK;
	struct slv_bags bags = { .n = 0 };
	struct slv_err err = { 0 };
	size_t n = 0;
	int code;

	if (c->bit == SLV_CMD_UNDO) {
		for (size_t i = 0; i < args->n_operands; i++)
			n += is_bag(args, i);
		args->batch.recursive |= n > 0;
		return c->run(args);
	}
	if ((c->bit & judging) == 0)
		return c->run(args);
	if (open_all(&bags, args, &n, &err) != SLV_OK)
		code = slv_batch_refuse(args, &err);
	else
		code = n > 0 ? run_all(c, args, &bags) : c->run(args);
	args->bags = NULL;
	release(&bags);
	return code;
}

/* The output of a repair: its name, and what it holds now. */
static void
add_output(struct bag *bag, const struct slv_args *args, size_t nth,
    const struct slv_report *r)
{
	struct slv_bag_file *f = &bag->it.files[nth];
	struct slv_options opt = {
		.limits = args->job.limits,
		.temp_dir = args->job.temp_dir,
		.cancel = args->job.cancel,
	};
	struct slv_report *now = NULL;

	f->output = slv_repair_target(f->path, &args->job);
	if (f->output == NULL) {
		slv_fail(&bag->err, SLV_E_NOMEM, "out of memory");
	} else if (args->job.dry_run
	    || slv_report_state(r) == SLV_STATE_INTACT) {
		slv_bag_add(&bag->it, nth, r, &bag->err);
	} else {
		slv_info(f->output, &opt, &now);
		if (now != NULL)
			slv_bag_add(&bag->it, nth, now, &bag->err);
		slv_report_free(now);
	}
}

/* Return true if the report says what is in the file. */
static bool
is_judged(const struct slv_report *r)
{
	return r != NULL && slv_report_status(r) == SLV_OK
	    && !slv_report_unfinished(r)
	    && slv_report_state(r) != SLV_STATE_ACTIVE;
}

bool
slv_bags_have(const struct slv_bags *bags, size_t i)
{
	for (size_t k = 0; bags != NULL && k < bags->n; k++) {
		const struct bag *bag = &bags->at[k];

		if (i >= bag->from && i - bag->from < bag->it.n_files)
			return true;
	}
	return false;
}

void
slv_bags_add(struct slv_bags *bags, const struct slv_args *args,
    const struct slv_treatment *how, size_t i, const struct slv_report *r)
{
	enum slv_state state =
	    r != NULL ? slv_report_state(r) : SLV_STATE_FAILED;
	bool has_output = state == SLV_STATE_INTACT
	    || state == SLV_STATE_REPAIRED || state == SLV_STATE_LOSSY;

	for (size_t k = 0; bags != NULL && k < bags->n; k++) {
		struct bag *bag = &bags->at[k];
		size_t nth = i - bag->from;

		if (i < bag->from || nth >= bag->it.n_files)
			continue;
		if (!is_judged(r))
			bag->failed = true;
		else if (!how->repairs)
			slv_bag_add(&bag->it, nth, r, &bag->err);
		else if (has_output)
			add_output(bag, args, nth, r);
		else if (state == SLV_STATE_DAMAGED)
			bag->failed = true; /* it needs an option */
	}
}

/* Write metadata.yaml, unless it is right where it is. */
static enum slv_status
write_metadata(struct bag *bag, const struct slv_args *args, char **output)
{
	struct slv_bag *b = &bag->it;
	struct slv_buf text = { 0 };
	bool possible = false;

	SLV_TRY(slv_bag_make(b, &text, &possible, &bag->err));
	if (possible && (!args->job.in_place || b->total > 0))
		slv_rewrite(bag->metadata, (const char *)text.at, text.len,
		    &args->job, output, &bag->err);
	slv_buf_free(&text);
	return bag->err.code;
}

static enum slv_state
state_of(const struct bag *bag, const char *output)
{
	if (bag->err.code != SLV_OK || bag->failed)
		return SLV_STATE_FAILED;
	if (bag->it.total == 0)
		return SLV_STATE_INTACT;
	if (slv_bag_has(&bag->it, SLV_BAG_STORAGE)
	    || slv_bag_has(&bag->it, SLV_BAG_VERSION))
		return SLV_STATE_UNSUPPORTED;
	if (output == NULL)
		return SLV_STATE_DAMAGED;
	/* Messages of files that are missing are lost. */
	return slv_bag_has(&bag->it, SLV_BAG_MISSING)
	        || slv_bag_has(&bag->it, SLV_BAG_UNREAD)
	    ? SLV_STATE_LOSSY
	    : SLV_STATE_REPAIRED;
}

/* The exit code; a file that was not judged has its own. */
static int
code_of(const struct slv_args *args, const struct slv_treatment *how,
    const struct bag *bag, enum slv_state state)
{
	if (bag->err.code != SLV_OK)
		return SLV_EXIT_TROUBLE;
	if (how->describing)
		return SLV_EXIT_SOUND;
	switch (state) {
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_DAMAGED: return SLV_EXIT_DAMAGED;
	case SLV_STATE_REPAIRED:
		return (args->ok & SLV_OK_REPAIRED) ? SLV_EXIT_SOUND
		                                    : SLV_EXIT_REPAIRED;
	case SLV_STATE_LOSSY:
		return (args->ok & SLV_OK_LOSSY) ? SLV_EXIT_SOUND
		                                 : SLV_EXIT_LOSSY;
	default: return SLV_EXIT_SOUND;
	}
}

/* What to type next. */
static void
put_next(struct slv_buf *out, const struct bag *bag)
{
	slv_buf_text(out, "  next: salvor repair -d OUT ");
	slv_quote(out, bag->it.folder);
	slv_buf_text(out, "   (or --in-place)\n");
}

static int
end_one(struct bag *bag, const struct slv_args *args,
    const struct slv_treatment *how, struct slv_run_files *records)
{
	struct slv_buf more = { 0 };
	enum slv_state state;
	char *output = NULL, *text;
	bool good = true;
	int code;

	if (bag->err.code == SLV_OK)
		slv_bag_judge(&bag->it, &bag->err);
	if (bag->err.code == SLV_OK && how->repairs && !bag->failed)
		(void)write_metadata(bag, args, &output);
	state = state_of(bag, output);
	code = code_of(args, how, bag, state);
	if (bag->err.code != SLV_OK)
		slv_term_error("%s", bag->err.text);
	slv_records_bag(
	    records, bag->it.folder, slv_bag_json(&bag->it, state, output));
	if (args->quiet == 0 || (args->quiet == 1 && bag->it.total > 0)) {
		text = slv_bag_text(&bag->it, state, output);
		slv_buf_text(&more, text != NULL ? text : "");
		slv_free(text);
		if (state == SLV_STATE_DAMAGED && !how->repairs)
			put_next(&more, bag);
		good =
		    slv_term_page(slv_files_people(args), slv_buf_take(&more));
	}
	slv_free(output);
	return good ? code : code | SLV_EXIT_TROUBLE;
}

int
slv_bags_end(struct slv_bags *bags, const struct slv_args *args,
    const struct slv_treatment *how, struct slv_run_files *records)
{
	int code = SLV_EXIT_SOUND;

	for (size_t i = 0; bags != NULL && i < bags->n; i++)
		code |= end_one(&bags->at[i], args, how, records);
	return code;
}
