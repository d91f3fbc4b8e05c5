/* batch_dirs.c - the folders below -d: a tree as that of the logs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sort.h"
#include "cli/batch_state.h"

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

/* Make the folder and those that it is in, below the first `base` bytes. */
static bool
make_all(char *dir, size_t base)
{
	char *at = dir + base;

	while (*at != '\0' && (at = strchr(at + 1, '/')) != NULL) {
		*at = '\0';
		if (mkdir(dir, 0777) != 0 && errno != EEXIST)
			return false;
		*at = '/';
	}
	return mkdir(dir, 0777) == 0 || errno == EEXIST;
}

/* Files that follow each other mostly lie in one folder. */
static bool
is_other_dir(const struct slv_found *a, const struct slv_found *b)
{
	const char *x = strrchr(a->sub, '/'), *y = strrchr(b->sub, '/');
	size_t n = x != NULL ? (size_t)(x - a->sub) : 0;

	return n != (y != NULL ? (size_t)(y - b->sub) : 0)
	    || memcmp(a->sub, b->sub, n) != 0;
}

static bool
has_dirs(const struct slv_batch *b)
{
	return b->args->job.output_dir != NULL && b->how->repairs
	    && !b->args->job.dry_run;
}

enum slv_status
slv_batch_make_dirs(const struct slv_batch *b, struct slv_err *err)
{
	const struct slv_found *before = NULL;

	for (size_t i = 0; has_dirs(b) && i < b->find.n; i++) {
		const struct slv_found *f = &b->find.at[i];
		char *dir;

		if (before != NULL && !is_other_dir(before, f))
			continue;
		before = f;
		dir = slv_batch_dir(b, f);
		if (dir == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		if (!make_all(dir, strlen(b->args->job.output_dir)))
			slv_fail_errno(err, "%s", dir);
		free(dir);
		if (err->code != SLV_OK)
			return err->code;
	}
	return SLV_OK;
}

/* For slv_repair_check(): those below -d itself, or all beside their logs. */
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
	free(names);
	return st;
}

static int
by_sub(const void *a, const void *b)
{
	const struct slv_found *const *x = a, *const *y = b;

	return strcmp((*x)->sub, (*y)->sub);
}

/* Files of one name below two folders that were named. */
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
	free(all);
	return err->code;
}

enum slv_status
slv_batch_check_outputs(const struct slv_batch *b, struct slv_err *err)
{
	SLV_TRY(check_names(b, err));
	return b->args->job.output_dir != NULL ? check_subs(b, err) : SLV_OK;
}

void
slv_batch_trim_dirs(const struct slv_batch *b)
{
	size_t base;

	if (!has_dirs(b))
		return;
	base = strlen(b->args->job.output_dir);
	for (size_t i = b->find.n; i-- > 0;) {
		char *dir = slv_batch_dir(b, &b->find.at[i]), *slash;

		/* What holds anything stays, and so do those that it is in. */
		while (dir != NULL && strlen(dir) > base && rmdir(dir) == 0) {
			slash = strrchr(dir, '/');
			*slash = '\0';
		}
		free(dir);
	}
}
