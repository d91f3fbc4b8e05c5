/* batch.c - before many repairs: do their outputs collide?
 *
 * Two names are one file if they have the same directory and the same last
 * part; the file itself need not exist yet.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "io/sys.h"
#include "io/write/temp.h"
#include "job/output/target.h"
#include "options/options.h"

/* A name that will be written or read. */
struct place {
	dev_t dev; /* of the directory; 0: unknown */
	ino_t ino;
	char *path;       /* owned */
	const char *base; /* in it; the whole path if the directory is
			   * unknown */
	const char *file; /* the input that it belongs to; borrowed */
	bool input;       /* it is that input */
};

static int
compare(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	int by_base = strcmp(a->base, b->base);

	if (by_base != 0)
		return by_base;
	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	/* Outputs first. */
	return (int)a->input - (int)b->input;
}

static bool
is_one_file(const struct place *a, const struct place *b)
{
	return a->dev == b->dev && a->ino == b->ino
	    && strcmp(a->base, b->base) == 0;
}

/* Takes over the path. */
static enum slv_status
locate(struct place *p, char *path, struct slv_err *err)
{
	char *dir = slv_temp_directory(path);
	struct stat st;

	p->path = path;
	p->base = path;
	if (dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_sys.stat(dir, &st) == 0) {
		p->dev = st.st_dev;
		p->ino = st.st_ino;
		p->base = slv_target_base(path);
	}
	slv_free(dir);
	return SLV_OK;
}

/* All targets and, if they could be replaced, all inputs. */
static enum slv_status
locate_all(struct place *at, size_t *n_places, const char *const *files,
    size_t n, const struct slv_options *opt, struct slv_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct place *p = &at[(*n_places)++];
		char *path;

		p->file = files[i];
		SLV_TRY(slv_target_path(files[i], opt, &path, err));
		SLV_TRY(locate(p, path, err));
		if (!opt->force || n == 1)
			continue;
		p = &at[(*n_places)++];
		p->file = files[i];
		p->input = true;
		path = slv_strdup(files[i]);
		if (path == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		SLV_TRY(locate(p, path, err));
	}
	return SLV_OK;
}

static enum slv_status
compare_all(const struct place *at, size_t n, struct slv_err *err)
{
	for (size_t i = 1; i < n; i++) {
		const struct place *a = &at[i - 1], *b = &at[i];

		if (a->input || !is_one_file(a, b))
			continue;
		if (!b->input)
			return slv_fail(err, SLV_E_USAGE,
			    "%s and %s would both be written to %s; nothing "
			    "was done",
			    a->file, b->file, a->path);
		return slv_fail(err, SLV_E_USAGE,
		    "%s is to be repaired and, with -f, to be replaced by the "
		    "repair of %s; nothing was done",
		    b->file, a->file);
	}
	return SLV_OK;
}

static enum slv_status
check_directory(const char *dir, struct slv_err *err)
{
	struct stat st;
	int bad = slv_sys.stat(dir, &st);

	/* Making it would hide a typing error, or a disk that is not
	 * mounted. */
	if (bad < 0 && errno == ENOENT)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: there is no such directory. Create it first (mkdir "
		    "-p): salvor does not, because the name may be mistyped, "
		    "or a disk not mounted",
		    dir);
	if (bad < 0)
		return slv_fail_errno(err, "%s: cannot write into it", dir);
	if (!S_ISDIR(st.st_mode))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is no directory; -o OUT writes to a file", dir);
	return SLV_OK;
}

enum slv_status
slv_repair_check(const char *const *files, size_t n,
    const struct slv_options *opt, struct slv_err *err)
{
	size_t n_places = 0;
	struct place *at;

	opt = slv_options_of(opt);
	if (opt->output_dir != NULL && !opt->make_dirs)
		SLV_TRY(check_directory(opt->output_dir, err));
	/* In place no file is the output of another. */
	if (n == 0 || opt->in_place)
		return SLV_OK;
	at = slv_calloc(n, 2 * sizeof(*at));
	if (at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (locate_all(at, &n_places, files, n, opt, err) == SLV_OK) {
		slv_sort(at, n_places, sizeof(*at), compare);
		compare_all(at, n_places, err);
	}
	for (size_t i = 0; i < n_places; i++)
		slv_free(at[i].path);
	slv_free(at);
	return err->code;
}
