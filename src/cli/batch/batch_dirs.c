/* batch_dirs.c - the directories below -d: in the shape of the input tree. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "cli/batch/batch_state.h"

char *
slv_batch_dir(const struct slv_batch *b, const struct slv_found *f)
{
	const char *slash = strrchr(f->sub, '/');
	struct slv_buf dir = { 0 };

	if (f->named || slash == NULL)
		return slv_strdup(b->args->job.output_dir);
	slv_buf_printf(&dir, "%s/%.*s", b->args->job.output_dir,
	    (int)(slash - f->sub), f->sub);
	return slv_buf_take(&dir);
}

/* Check outputs that are not in subdirectories: with -d those of named files; without it
 * all of them, which are next to their logs. */
static enum slv_status
check_names(const struct slv_batch *b, struct slv_err *err)
{
	const char **names = slv_calloc(b->find.n + 1, sizeof(*names));
	bool tree = b->args->job.output_dir != NULL;
	size_t n = 0;
	enum slv_status st;

	if (names == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->find.n; i++) {
		if (!tree || b->find.at[i].named)
			names[n++] = b->find.at[i].path;
	}
	st = slv_repair_check(names, n, &b->args->job, err);
	slv_free(names);
	return st;
}

static int
by_sub(const void *a, const void *b)
{
	const struct slv_found *const *x = a, *const *y = b;

	return strcmp((*x)->sub, (*y)->sub);
}

/* Refuse files with the same name below two named directories. */
static enum slv_status
check_subs(const struct slv_batch *b, struct slv_err *err)
{
	const struct slv_found **all = slv_calloc(b->find.n + 1, sizeof(*all));

	if (all == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < b->find.n; i++)
		all[i] = &b->find.at[i];
	slv_sort(all, b->find.n, sizeof(*all), by_sub);
	for (size_t i = 1; i < b->find.n; i++) {
		if (err->code == SLV_OK
		    && strcmp(all[i - 1]->sub, all[i]->sub) == 0)
			slv_fail(err, SLV_E_USAGE,
			    "%s and %s would be written to one file below %s",
			    all[i - 1]->path, all[i]->path,
			    b->args->job.output_dir);
	}
	slv_free(all);
	return err->code;
}

enum slv_status
slv_batch_check_outputs(const struct slv_batch *b, struct slv_err *err)
{
	SLV_TRY(check_names(b, err));
	return b->args->job.output_dir != NULL ? check_subs(b, err) : SLV_OK;
}
