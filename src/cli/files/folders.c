/* folders.c - folders on the command line that mean the logs in them. */
#include "cli/files/folders.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "batch/find/find.h"
#include "batch/find/lognames.h"
#include "batch/ros2/bag.h"
#include "cli/signals.h"
#include "options/options.h"

static bool
is_folder(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0
	    && S_ISDIR(st.st_mode);
}

static enum slv_status
put(struct slv_folders *f, const char *path, struct slv_err *err)
{
	SLV_TRY(slv_grow(
	    &f->operands, &f->cap, f->n + 1, sizeof(*f->operands), err));
	f->operands[f->n] = slv_strdup(path);
	if (f->operands[f->n] == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	f->n++;
	return SLV_OK;
}

static enum slv_status
put_bag(struct slv_folders *f, const char *folder, struct slv_err *err)
{
	struct slv_bag bag = { .cancel = &slv_signal };
	enum slv_status st = slv_bag_open(&bag, folder, err);

	for (size_t i = 0; st == SLV_OK && i < bag.n_files; i++) {
		if (bag.files[i].there)
			st = put(f, bag.files[i].path, err);
	}
	slv_bag_free(&bag);
	return st;
}

/* The first thing that cannot be read ends it: a log that is not there would not be
 * missed. */
static void
remember(void *ctx, const struct slv_err *why)
{
	struct slv_err *err = ctx;

	if (err->code == SLV_OK)
		*err = *why;
}

static enum slv_status
put_logs(struct slv_folders *f, const char *folder, const char *output,
    struct slv_err *err)
{
	const char *const leave[] = { output };
	const struct slv_find_rules rules = {
		.recursive = true,
		.flat = true,
		.leave = leave,
		.n_leave = 1,
	};
	struct slv_err trouble = { .code = SLV_OK };
	struct slv_find find = {
		.rules = &rules,
		.on_error = remember,
		.ctx = &trouble,
	};
	enum slv_status st = slv_find_add(&find, folder, err);

	if (st == SLV_OK && trouble.code != SLV_OK) {
		*err = trouble;
		st = err->code;
	}
	for (size_t i = 0; st == SLV_OK && i < find.n; i++) {
		if (slv_lognames_promise(find.at[i].path, NULL))
			st = put(f, find.at[i].path, err);
	}
	slv_find_free(&find);
	return st;
}

static enum slv_status
put_folder(struct slv_folders *f, const char *folder, const char *output,
    struct slv_err *err)
{
	size_t before = f->n;

	SLV_TRY(slv_bag_is(folder) ? put_bag(f, folder, err)
	                           : put_logs(f, folder, output, err));
	return f->n > before
	    ? SLV_OK
	    : slv_fail(err, SLV_E_USAGE,
	        "%s: no file in this folder has a name as recorders give "
	        "it to logs; name the files",
	        folder);
}

enum slv_status
slv_folders_expand(
    struct slv_folders *f, struct slv_args *args, struct slv_err *err)
{
	bool any = false;

	for (size_t i = 0; i < args->n_operands; i++)
		any |= is_folder(args->operands[i]);
	for (size_t i = 0; any && i < args->n_operands; i++)
		SLV_TRY(is_folder(args->operands[i])
		        ? put_folder(
		            f, args->operands[i], args->job.output, err)
		        : put(f, args->operands[i], err));
	if (any) {
		args->operands = f->operands;
		args->n_operands = f->n;
	}
	return SLV_OK;
}

void
slv_folders_free(struct slv_folders *f)
{
	for (size_t i = 0; i < f->n; i++)
		slv_free(f->operands[i]);
	slv_free(f->operands);
}
