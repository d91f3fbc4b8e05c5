/* places.c - which places follow from a command line, and for what. */
#include "guard/places.h"
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/packed_name.h"
#include "io/write/temp.h"
#include "job/export/export_form.h"
#include "job/inplace/undo.h"
#include "job/input/backup.h"
#include "job/input/input.h"
#include "job/input/siblings.h"
#include "job/output/sidecar.h"
#include "job/output/target.h"

struct visit {
	const struct slv_guard_job *job;
	slv_place_fn fn;
	void *ctx;
};

static bool
is_standard(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* Takes over the path, which may be NULL for lack of memory. */
static bool
place(const struct visit *v, char *path, enum slv_right right)
{
	bool good = path != NULL && v->fn(v->ctx, path, right);

	slv_free(path);
	return good;
}

/* A log, and the report that a repair may have left next to it. */
static bool
place_log(const struct visit *v, const char *path)
{
	struct slv_err err = { 0 };
	char *sidecar;

	if (!place(v, slv_strdup(path), SLV_MAY_READ))
		return false;
	/* A loop of links has no log to read either. */
	if (slv_sidecar_of(path, &sidecar, &err) != SLV_OK)
		return err.code != SLV_E_NOMEM;
	return place(v, sidecar, SLV_MAY_READ);
}

/* What shows if a repair in place of the log was interrupted. */
static bool
place_record(const struct visit *v, const char *file)
{
	struct slv_undo_names n;
	struct slv_err err = { 0 };
	bool good;

	slv_undo_names(&n, file, NULL, &err);
	good = err.code != SLV_E_NOMEM
	    && (n.beside == NULL || v->fn(v->ctx, n.beside, SLV_MAY_READ));
	slv_undo_names_free(&n);
	return good;
}

/* The directories of a file that is changed, and of its undo record.
 *
 *   given  as for slv_undo_names */
static bool
place_changed(const struct visit *v, const char *file, const char *given)
{
	struct slv_undo_names n;
	struct slv_err err = { 0 };
	bool good;

	slv_undo_names(&n, file, given, &err);
	good = err.code != SLV_E_NOMEM;
	if (good && n.record != NULL)
		good = place(v, slv_temp_directory(n.file), SLV_MAY_CHANGE)
		    && place(v, slv_temp_directory(n.record), SLV_MAY_CHANGE);
	slv_undo_names_free(&n);
	return good;
}

static bool
place_in_place(const struct visit *v, const char *file)
{
	const struct slv_options *opt = v->job->opt;

	if (opt->dry_run)
		return opt->undo_file == NULL
		    || place(v, slv_strdup(opt->undo_file), SLV_MAY_READ);
	return place_changed(v, file, NULL)
	    && (opt->undo_file == NULL
	        || place_changed(v, file, opt->undo_file));
}

/* A file is written under a temporary name in the same folder, and renamed at the
 * end; a device or FIFO is written directly. */
static bool
place_made(const struct visit *v, const char *path)
{
	return place(v, slv_temp_directory(path), SLV_MAY_MAKE)
	    && place(v, slv_strdup(path), SLV_MAY_WRITE);
}

/* A folder is made beside its name, or compared with the one that has it. */
static bool
place_folder(const struct visit *v, const char *target)
{
	char *path = slv_strdup(target);
	size_t n = strlen(target);
	bool good = path != NULL;

	while (good && n > 1 && path[n - 1] == '/')
		path[--n] = '\0';
	good = good && place(v, slv_temp_directory(path), SLV_MAY_GROW);
	slv_free(path);
	return good;
}

static bool
place_target(const struct visit *v, const char *target)
{
	const struct slv_options *opt = v->job->opt;

	if (is_standard(target))
		return true;
	if (!opt->dry_run && slv_export_is_folder(target, opt->to))
		return place_folder(v, target);
	if (!v->job->opt->dry_run)
		return place_made(v, target);
	/* A plan is compared with the existing file, and so are outputs of logs
	 * with names that are not known yet. */
	return place_log(v, target)
	    && ((!opt->split && opt->split_size == 0
	            && opt->split_duration == 0)
	        || place(v, slv_temp_directory(target), SLV_MAY_LOOK));
}

/* What another tool may have left of a log. */
static bool
place_backup(const void *ctx, char *name)
{
	const struct visit *v = ctx;
	bool good = name != NULL && v->fn(v->ctx, name, SLV_MAY_READ)
	    && place_record(v, name);

	slv_free(name);
	return good;
}

/* The other segments of the recording. */
static bool
place_siblings(const struct visit *v, const char *file)
{
	struct slv_err err = { 0 };

	for (unsigned i = 0; i < SLV_SIBLINGS_MAX; i++) {
		char *name;
		bool good;

		if (slv_sibling_name(NULL, file, i, &name, &err) != SLV_OK)
			return false;
		good = name == NULL
		    || (v->fn(v->ctx, name, SLV_MAY_READ)
		        && place_record(v, name));
		slv_free(name);
		if (!good)
			return false;
	}
	return true;
}

static bool
place_file(const struct visit *v, const char *file)
{
	struct slv_err err = { 0 };
	char *target = NULL;
	bool good;

	if (v->job->plain)
		return is_standard(file)
		    || place(v, slv_strdup(file), SLV_MAY_READ);
	/* Without a target there is no repair, and the job reports why. */
	if (v->job->repairs && v->job->opt->in_place)
		return (is_standard(file) || place_in_place(v, file))
		    && place_log(v, file) && place_record(v, file)
		    && place_siblings(v, file);
	if (v->job->repairs)
		slv_target_path(file, v->job->opt, &target, &err);
	good = err.code != SLV_E_NOMEM
	    && (target == NULL || place_target(v, target));
	if (good
	    && (is_standard(file) || slv_packed_is(file)
	        || (v->job->spools && target != NULL && is_standard(target))))
		good = place(
		    v, slv_input_spool(v->job->opt, target), SLV_MAY_MAKE);
	if (good && !is_standard(file))
		good = place_log(v, file) && place_record(v, file)
		    && (v->job->repairs
		            ? place_siblings(v, file)
		            : slv_backup_names(NULL, file, place_backup, v));
	slv_free(target);
	return good;
}

/* The logs below a directory, and what is written next to them; other output
 * stays in the directory named for it. */
static bool
place_tree(const struct visit *v, const char *tree)
{
	const struct slv_options *opt = v->job->opt;
	enum slv_right right = SLV_MAY_LOOK;

	if (v->job->unpacks
	    && !place(v, slv_input_spool(opt, NULL), SLV_MAY_MAKE))
		return false;

	if (v->job->repairs && !opt->dry_run && opt->in_place)
		right = SLV_MAY_CHANGE;
	else if (v->job->repairs && !opt->dry_run && opt->output_dir == NULL)
		right = SLV_MAY_MAKE;
	return place(v, slv_strdup(tree), right)
	    && (!v->job->repairs || opt->output_dir == NULL
	        || place(v, slv_strdup(opt->output_dir),
	            opt->dry_run ? SLV_MAY_LOOK : SLV_MAY_MAKE));
}

/* Another log that is read. */
static bool
place_other(const struct visit *v, const char *file)
{
	return place_log(v, file)
	    && (!slv_packed_is(file)
	        || place(v, slv_input_spool(v->job->opt, NULL), SLV_MAY_MAKE));
}

/* What a job reads and makes in addition to logs. */
static bool
place_besides(const struct visit *v)
{
	const struct slv_options *opt = v->job->opt;
	enum slv_right saving;

	if (opt == NULL)
		return true;
	saving = opt->dry_run ? SLV_MAY_LOOK : SLV_MAY_MAKE;
	return (!v->job->repairs || opt->dry_run || !opt->make_dirs
	           || opt->output_dir == NULL
	           || place(v, slv_strdup(opt->output_dir), SLV_MAY_GROW))
	    && (opt->mapfile == NULL || place_made(v, opt->mapfile))
	    && (opt->plan_out == NULL || place_made(v, opt->plan_out))
	    && (opt->domain_mapfile == NULL
	        || place(v, slv_strdup(opt->domain_mapfile), SLV_MAY_READ))
	    && (opt->descriptors == NULL
	        || place(v, slv_strdup(opt->descriptors), SLV_MAY_READ))
	    && (opt->fill == NULL || place_other(v, opt->fill))
	    && (!v->job->repairs || opt->donor == NULL
	        || (place_other(v, opt->donor) && place_record(v, opt->donor)))
	    && (!v->job->repairs || opt->save_dropped == NULL
	        || place(v, slv_strdup(opt->save_dropped), saving));
}

bool
slv_places(const struct slv_guard_job *job, slv_place_fn fn, void *ctx)
{
	struct visit v = { job, fn, ctx };

	for (size_t i = 0; i < job->n_files; i++) {
		if (!place_file(&v, job->files[i]))
			return false;
	}
	for (size_t i = 0; i < job->n_trees; i++) {
		if (!place_tree(&v, job->trees[i]))
			return false;
	}
	for (size_t i = 0; i < job->n_others; i++) {
		if (!is_standard(job->others[i])
		    && !place(&v, slv_strdup(job->others[i]), SLV_MAY_READ))
			return false;
	}
	return (job->report == NULL || place_made(&v, job->report))
	    && (job->sums == NULL || place_made(&v, job->sums))
	    && (job->html == NULL || place_made(&v, job->html))
	    && (job->journal == NULL || place_made(&v, job->journal))
	    && (job->junit == NULL || place_made(&v, job->junit))
	    && (job->metrics == NULL || place_made(&v, job->metrics))
	    && place_besides(&v);
}
